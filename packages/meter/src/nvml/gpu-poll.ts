import {
  type DeviceState,
  type DomainSample,
  isUnavailable,
  type Unavailable,
} from '@energy-bench/spec'
import { stateOf } from './describe.js'
import type { Gpu } from './gpu.js'
import { powerKinds } from './power-kind.js'
import { lostMidRun } from './status.js'

/** Reads one GPU again and again, each thing at its own pace. */
export interface GpuPoll {
  readCounter(): DomainSample
  /** Everything else that is due at `timeS`; call it after the counter. */
  readRest(timeS: number): GpuRest
}

/** What is left out was not due. */
export interface GpuRest {
  readonly power?: DomainSample
  readonly state?: DeviceState
  readonly clockStepped: boolean
}

const STATE_INTERVAL_S = 1
/** Slow reads wait this long for a change of the counter: right after one there is time until the next. */
const PATIENCE_S = 0.25
/** A read longer than this could hide a change of the counter. */
const SLOW_INTERVAL_S = 0.2
/** A GPU that is lost is asked this often whether it is back. */
const RETRY_S = 1

interface PollState {
  energyJ: number | undefined
  /** The counter has just changed, or there is none whose change could be missed. */
  isQuiet: boolean
  powerDueS: number
  stateDueS: number
  hasCounted: boolean
  hasPower: boolean
  lost: { readonly why: Unavailable; readonly retryS: number } | undefined
}

/** Begins to read a GPU. */
export function createGpuPoll(gpu: Gpu, now: () => number): GpuPoll {
  const state: PollState = {
    energyJ: undefined,
    isQuiet: true,
    powerDueS: Number.NEGATIVE_INFINITY,
    stateDueS: Number.NEGATIVE_INFINITY,
    hasCounted: !isUnavailable(gpu.counter),
    hasPower: true,
    lost: undefined,
  }
  return {
    readCounter: () => readCounter(gpu, state, now),
    readRest: (timeS) => readRest(gpu, state, timeS),
  }
}

function readCounter(gpu: Gpu, state: PollState, now: () => number): DomainSample {
  if (state.lost !== undefined && now() < state.lost.retryS) return state.lost.why
  state.lost = undefined
  const energyJ = gpu.device.totalEnergyJ()
  if (isUnavailable(energyJ)) {
    state.isQuiet = true
    return judge(state, energyJ, { hasWorked: state.hasCounted, timeS: now() })
  }
  state.hasCounted = true
  state.isQuiet = energyJ !== state.energyJ
  state.energyJ = energyJ
  return { type: 'energy', energyJ }
}

function readRest(gpu: Gpu, state: PollState, timeS: number): GpuRest {
  const clockStepped = gpu.power.observe()
  if (state.lost !== undefined) return { power: state.lost.why, clockStepped }
  return {
    clockStepped,
    ...(isPowerDue(gpu, state, timeS) ? { power: readPower(gpu, state, timeS) } : {}),
    ...(isDue(state, state.stateDueS, timeS) ? { state: readState(gpu, state, timeS) } : {}),
  }
}

function isPowerDue(gpu: Gpu, state: PollState, timeS: number): boolean {
  const isQuick = powerKinds[gpu.power.kind].intervalS < SLOW_INTERVAL_S
  return isQuick ? timeS >= state.powerDueS : isDue(state, state.powerDueS, timeS)
}

function isDue(state: PollState, dueS: number, timeS: number): boolean {
  return timeS >= dueS + (state.isQuiet ? 0 : PATIENCE_S)
}

function readPower(gpu: Gpu, state: PollState, timeS: number): DomainSample {
  state.powerDueS = timeS + powerKinds[gpu.power.kind].intervalS
  const sample = gpu.power.read()
  if ('status' in sample) return judge(state, sample, { hasWorked: state.hasPower, timeS })
  return sample
}

function readState(gpu: Gpu, state: PollState, timeS: number): DeviceState {
  state.stateDueS = timeS + STATE_INTERVAL_S
  return stateOf(gpu, timeS)
}

/** Tells a GPU that is gone from a value that it never had. */
function judge(
  state: PollState,
  failure: Unavailable,
  { hasWorked, timeS }: { readonly hasWorked: boolean; readonly timeS: number },
): Unavailable {
  const why = hasWorked ? lostMidRun(failure) : failure
  if (why.reason === 'device-lost') state.lost = { why, retryS: timeS + RETRY_S }
  return why
}

import { type Unavailable, unavailable } from '@energy-bench/spec'
import type { WallReading } from './reading.js'

/** Below this a standing counter proves nothing, watts. */
const LOAD_W = 5
/** Shortest standstill that counts, seconds. */
const MIN_STALE_S = 60
/** The counter must have missed this many steps. */
const MISSED_STEPS = 3
const FIX =
  'Restart the plug or the hub behind it; compare with a load that you switch on and off by hand.'

/** Remembers when the values of a plug last moved. */
export interface StaleCheck {
  /** Replaces values that stand still under load by `stalled`. */
  check(reading: WallReading, timeS: number): WallReading
}

export interface StaleOptions {
  /** Longest usual time between two new values, seconds. */
  readonly slowestS: number
  readonly counterStepJ: number
}

interface Standstill {
  readonly sinceS: number
  readonly lastS: number
  readonly stampSinceS: number
  readonly stamp: string | undefined
  readonly energyJ: number | undefined
  readonly powerW: number
  /** What the counter should have gained since `sinceS`, joules. */
  readonly expectedJ: number
  readonly isPowerConstant: boolean
}

export function createStaleCheck(options: StaleOptions): StaleCheck {
  const staleS = Math.max(MIN_STALE_S, 3 * options.slowestS)
  let before: Standstill | undefined
  return {
    check(reading, timeS) {
      before = follow(before, reading, timeS)
      return before === undefined ? reading : judge(before, reading, { ...options, staleS })
    },
  }
}

/** `undefined` while there is no load. */
function follow(
  before: Standstill | undefined,
  reading: WallReading,
  timeS: number,
): Standstill | undefined {
  const { powerW, stamp } = reading
  if (typeof powerW !== 'number' || !(powerW > LOAD_W)) return
  const energyJ = typeof reading.energyJ === 'number' ? reading.energyJ : undefined
  const stampSinceS = before !== undefined && before.stamp === stamp ? before.stampSinceS : timeS
  const base = { lastS: timeS, stamp, stampSinceS, energyJ, powerW }
  if (before === undefined || before.energyJ !== energyJ) {
    return { ...base, sinceS: timeS, expectedJ: 0, isPowerConstant: true }
  }
  return {
    ...base,
    sinceS: before.sinceS,
    expectedJ: before.expectedJ + ((before.powerW + powerW) / 2) * (timeS - before.lastS),
    isPowerConstant: before.isPowerConstant && before.powerW === powerW,
  }
}

function judge(
  state: Standstill,
  reading: WallReading,
  limits: StaleOptions & { readonly staleS: number },
): WallReading {
  const stampS = state.lastS - state.stampSinceS
  if (state.stamp !== undefined && stampS > limits.staleS) {
    const why = stale(`the time stamp has not moved for ${Math.round(stampS)} s`, state.powerW)
    return { ...reading, powerW: why, ...(reading.energyJ === undefined ? {} : { energyJ: why }) }
  }
  const standS = state.lastS - state.sinceS
  const isStanding = state.energyJ !== undefined && standS > limits.staleS
  const stepJ = Math.max(limits.counterStepJ, reading.energyStepJ ?? 0)
  if (!isStanding || state.expectedJ <= MISSED_STEPS * stepJ) return reading
  const why = stale(`the counter has not moved for ${Math.round(standS)} s`, state.powerW)
  // A power that never moved either is most likely as old as the counter.
  return { ...reading, energyJ: why, ...(state.isPowerConstant ? { powerW: why } : {}) }
}

function stale(what: string, powerW: number): Unavailable {
  return unavailable('stalled', `stale: ${what} while the power reads ${powerW} W`, FIX)
}

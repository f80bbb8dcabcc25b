import { type DomainSample, isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'

/** Compares the energy counter of a GPU with its own power, because some cards have a counter that is frozen or absurd. */
export interface CounterCheck {
  /** Takes the power of one poll, watts at monotonic seconds. */
  addPower(powerW: number | Unavailable, timeS: number): void
  /** Gives the sample back, or says why the counter is not believed; that is final. */
  judge(sample: DomainSample): DomainSample
}

/** Shorter stretches say little: power is a mean, and the counter moves in steps. */
const MIN_STRETCH_S = 0.5
const LOWEST_RATIO = 0.1
const HIGHEST_RATIO = 10

interface CheckState {
  last: { readonly powerW: number; readonly timeS: number } | undefined
  powerJ: number
  stretchS: number
  counterStartJ: number | undefined
  verdict: Unavailable | undefined
}

/** Makes the check of one GPU: over each half second the counter must agree with power within a factor of 10. */
export function createCounterCheck(): CounterCheck {
  const state: CheckState = {
    last: undefined,
    powerJ: 0,
    stretchS: 0,
    counterStartJ: undefined,
    verdict: undefined,
  }
  return {
    addPower: (powerW, timeS) => addPower(state, powerW, timeS),
    judge(sample) {
      if (state.verdict !== undefined) return state.verdict
      if (isUnavailable(sample) || sample.type !== 'energy') return sample
      state.verdict = compare(state, sample.energyJ)
      return state.verdict ?? sample
    },
  }
}

function addPower(state: CheckState, powerW: number | Unavailable, timeS: number): void {
  if (isUnavailable(powerW)) {
    restart(state)
    state.last = undefined
    return
  }
  if (state.last !== undefined) {
    const sinceS = timeS - state.last.timeS
    state.powerJ += ((powerW + state.last.powerW) / 2) * sinceS
    state.stretchS += sinceS
  }
  state.last = { powerW, timeS }
}

function compare(state: CheckState, energyJ: number): Unavailable | undefined {
  if (state.counterStartJ === undefined) {
    restart(state)
    state.counterStartJ = energyJ
    return undefined
  }
  if (state.stretchS < MIN_STRETCH_S) return undefined
  const gainedJ = energyJ - state.counterStartJ
  const { powerJ, stretchS } = state
  const ratio = gainedJ / powerJ
  restart(state)
  state.counterStartJ = energyJ
  if (powerJ <= 0 || gainedJ < 0 || (ratio > LOWEST_RATIO && ratio < HIGHEST_RATIO))
    return undefined
  return unavailable(
    'implausible',
    `the counter gained ${gainedJ.toFixed(3)} J in ${stretchS.toFixed(2)} s, while power says ${powerJ.toFixed(3)} J`,
    'Use the power domain of this GPU; updating ROCm may repair the counter.',
  )
}

function restart(state: CheckState): void {
  state.powerJ = 0
  state.stretchS = 0
  state.counterStartJ = undefined
}

import { type DomainSample, isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'

/** Power above this is not believed of one package or card, watts. */
export const MAX_POWER_W = 2000

/** What is known about a counter of microjoules. */
export interface CounterOptions {
  /** What the counter counts to before it starts again at 0, microjoules; undefined for one that never wraps. */
  readonly rangeUj?: number | Unavailable
  readonly maxPowerW?: number
  /** A counter that stands still longer is not alive, seconds. A counter that never moved is not either. */
  readonly maxStillS?: number
}

/** Turns the raw values of one counter into cumulative joules. */
export interface Counter {
  /** `rawUj` is what the file or the library said at `timeS` (monotonic seconds). */
  add(rawUj: number, timeS: number): DomainSample
}

interface CounterState {
  /** Microjoules of the whole turns so far. */
  turnsUj: number
  lastUj: number
  lastS: number
  movedS: number
  hasMoved: boolean
}

/** A counter read a little late has gained a little more than the time between two reads says, seconds. */
const TIME_SLACK_S = 0.1
const FIRST_MOVE_S = 2

/** Makes the reader of one counter: unwraps it, and tells a wrap from a reset and a still counter from 0 J. */
export function createCounter(options: CounterOptions = {}): Counter {
  let state: CounterState | undefined
  return {
    add(rawUj, timeS) {
      if (rawUj < 0) return unavailable('implausible', `the counter said ${rawUj} microjoules`)
      if (state === undefined) state = begin(rawUj, timeS)
      const problem = advance(state, { rawUj, timeS }, options)
      if (isUnavailable(problem)) return problem
      return stillness(state, timeS, options) ?? toSample(state)
    },
  }
}

function begin(rawUj: number, timeS: number): CounterState {
  return { turnsUj: 0, lastUj: rawUj, lastS: timeS, movedS: timeS, hasMoved: false }
}

/** Two reads of a counter that follow each other. */
interface Step {
  readonly lastUj: number
  readonly rawUj: number
  readonly sinceS: number
}

function advance(
  state: CounterState,
  read: { readonly rawUj: number; readonly timeS: number },
  options: CounterOptions,
): Unavailable | undefined {
  const { lastUj } = state
  const step: Step = { lastUj, rawUj: read.rawUj, sinceS: read.timeS - state.lastS }
  state.lastUj = read.rawUj
  state.lastS = read.timeS
  if (read.rawUj !== lastUj) {
    state.movedS = read.timeS
    state.hasMoved = true
  }
  const problem = gapProblem(step.sinceS, options) ?? backProblem(step, options)
  if (problem !== undefined) {
    // From a new zero, so that whoever sums up sees the counter go back.
    state.turnsUj = 0
    return problem
  }
  if (read.rawUj < lastUj) state.turnsUj += rangeOf(options) ?? 0
  return undefined
}

/** After a long gap nobody knows how often a counter has wrapped. */
function gapProblem(sinceS: number, options: CounterOptions): Unavailable | undefined {
  const turnS = shortestTurnS(options)
  if (sinceS <= turnS) return undefined
  return unavailable(
    'device-lost',
    `the counter was not read for ${sinceS.toFixed(1)} s and may wrap within ${turnS.toFixed(1)} s`,
    'Keep the machine awake and the process running while measuring.',
  )
}

function backProblem(step: Step, options: CounterOptions): Unavailable | undefined {
  const { lastUj, rawUj, sinceS } = step
  if (rawUj >= lastUj) return undefined
  const rangeUj = rangeOf(options)
  const maxGainUj = (options.maxPowerW ?? MAX_POWER_W) * (sinceS + TIME_SLACK_S) * 1e6
  if (rangeUj !== undefined && rawUj - lastUj + rangeUj <= maxGainUj) return undefined
  const why = isUnavailable(options.rangeUj)
    ? `, and its range is unknown: ${options.rangeUj.detail}`
    : ''
  return unavailable(
    'counter-reset',
    `the counter went back from ${lastUj} to ${rawUj} microjoules${why}`,
    (isUnavailable(options.rangeUj) ? options.rangeUj.fix : undefined) ??
      'Measure again, and keep the machine awake and the driver loaded meanwhile.',
  )
}

function stillness(
  state: CounterState,
  timeS: number,
  options: CounterOptions,
): Unavailable | undefined {
  const limitS = state.hasMoved ? (options.maxStillS ?? Number.POSITIVE_INFINITY) : FIRST_MOVE_S
  const stillS = timeS - state.movedS
  if (stillS <= limitS) return undefined
  return unavailable(
    'stalled',
    `the counter has stood at ${state.lastUj} microjoules for ${stillS.toFixed(1)} s`,
    'Virtual machines often show a counter that does not count; measure on the machine itself.',
  )
}

function toSample(state: CounterState): DomainSample {
  return { type: 'energy', energyJ: (state.turnsUj + state.lastUj) / 1e6 }
}

function rangeOf(options: CounterOptions): number | undefined {
  return isUnavailable(options.rangeUj) || options.rangeUj === undefined || options.rangeUj <= 0
    ? undefined
    : options.rangeUj
}

/** Shortest time in which the counter can wrap, seconds; infinite for one that does not. */
export function shortestTurnS(options: CounterOptions): number {
  const rangeUj = rangeOf(options)
  if (rangeUj === undefined) return Number.POSITIVE_INFINITY
  return rangeUj / 1e6 / (options.maxPowerW ?? MAX_POWER_W)
}

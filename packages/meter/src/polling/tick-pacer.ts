/** What one poll showed. */
export interface PollOutcome {
  readonly changed: boolean
  readonly startS: number
  readonly endS: number
}

/** Says how long to wait after each poll, seconds. */
export interface Pacer {
  next(outcome: PollOutcome): number
}

/** Polls this close to each other date a change to within half of it and one read. */
const FINE_WAIT_S = 0.001
/** After this long without enough changes the counter is slow, and polls may be farther apart. */
const LEARNING_S = 1
const SLOW_WAIT_S = 0.01
const INTERVALS_TO_LEARN = 3
const INTERVALS_KEPT = 15
/** Updates that may stay away before the tick is learned anew. */
const MISSES_TO_RELEARN = 3
const PHASE_GAIN = 0.3
const JITTER_DECAY = 0.98
/** What timers and reads are usually late by. */
const MARGIN_S = 0.0015

interface TickState {
  learningSinceS: number | undefined
  lastChangeS: number | undefined
  lastUnchangedStartS: number | undefined
  intervalsS: number[]
  expectedS: number
  readS: number
  jitterS: number
  misses: number
}

/**
 * Learns the tick of a counter by fast polling, then sleeps through most of it and polls only around the change
 * that it expects. What does not come as expected widens the search; what stays away is learned anew.
 */
export function createTickPacer(): Pacer {
  const state: TickState = {
    learningSinceS: undefined,
    lastChangeS: undefined,
    lastUnchangedStartS: undefined,
    intervalsS: [],
    expectedS: 0,
    readS: 0,
    jitterS: 0.003,
    misses: 0,
  }
  return { next: (outcome) => nextWait(state, outcome) }
}

function nextWait(state: TickState, outcome: PollOutcome): number {
  state.learningSinceS ??= outcome.startS
  const tickS = learnedTick(state)
  if (!outcome.changed) return waitForChange(state, outcome, tickS)
  takeChange(state, outcome, tickS)
  const learnedS = learnedTick(state)
  if (learnedS === undefined) return FINE_WAIT_S
  state.expectedS += learnedS
  return waitUntilExpected(state, outcome.endS, learnedS)
}

/** The mean over many ticks: the errors of all dates but the first and the last cancel in it. */
function learnedTick(state: TickState): number | undefined {
  const count = state.intervalsS.length
  if (count < INTERVALS_TO_LEARN) return undefined
  return state.intervalsS.reduce((sum, intervalS) => sum + intervalS, 0) / count
}

function takeChange(state: TickState, outcome: PollOutcome, tickS: number | undefined): void {
  const wasBracketed = state.lastUnchangedStartS !== undefined
  const dateS = ((state.lastUnchangedStartS ?? outcome.startS) + outcome.endS) / 2
  if (state.lastChangeS !== undefined) takeInterval(state, dateS - state.lastChangeS, tickS)
  followPhase(state, { dateS, wasBracketed }, tickS)
  state.lastChangeS = dateS
  state.lastUnchangedStartS = undefined
  state.misses = 0
}

/** Moves the expectation a part of the way to what came; a single date is only known to half a read. */
function followPhase(
  state: TickState,
  { dateS, wasBracketed }: { readonly dateS: number; readonly wasBracketed: boolean },
  tickS: number | undefined,
): void {
  const errorS = dateS - state.expectedS
  if (tickS === undefined || Math.abs(errorS) > tickS / 4) {
    state.expectedS = dateS
    return
  }
  state.expectedS += PHASE_GAIN * errorS
  // The first poll after the sleep already saw the change: it came early, so wake earlier next time.
  const widenS = wasBracketed ? 0 : state.jitterS + 2 * MARGIN_S
  state.jitterS = clamp(Math.max(widenS, JITTER_DECAY * state.jitterS), MARGIN_S, tickS / 4)
}

/** An interval over several ticks counts as one tick when it is a whole number of them. */
function takeInterval(state: TickState, intervalS: number, tickS: number | undefined): void {
  const ticks = tickS === undefined ? 1 : Math.max(1, Math.round(intervalS / tickS))
  state.intervalsS.push(intervalS / ticks)
  if (state.intervalsS.length > INTERVALS_KEPT) state.intervalsS.shift()
}

function waitForChange(state: TickState, outcome: PollOutcome, tickS: number | undefined): number {
  const readS = outcome.endS - outcome.startS
  state.readS += (state.readS === 0 ? 1 : 0.1) * (readS - state.readS)
  state.lastUnchangedStartS = outcome.startS
  if (tickS === undefined) {
    const sinceS = outcome.endS - (state.learningSinceS ?? outcome.startS)
    return sinceS < LEARNING_S ? FINE_WAIT_S : SLOW_WAIT_S
  }
  const lateS = outcome.endS - state.expectedS
  if (lateS < tickS / 4) return FINE_WAIT_S
  state.misses += 1
  if (state.misses < MISSES_TO_RELEARN) {
    state.expectedS += tickS
    return waitUntilExpected(state, outcome.endS, tickS)
  }
  // The bracket is lost anyway; begin again.
  state.intervalsS = []
  state.lastChangeS = undefined
  state.learningSinceS = outcome.endS
  return FINE_WAIT_S
}

/** Wakes early enough for one whole read to end before the change comes. */
function waitUntilExpected(state: TickState, nowS: number, tickS: number): number {
  const leadS = Math.min(state.readS + MARGIN_S + state.jitterS, tickS / 2)
  return Math.max(FINE_WAIT_S, state.expectedS - leadS - nowS)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

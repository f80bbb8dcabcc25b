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

/** The shortest wait; polls this close to each other date a change to within half of it and one read. */
const FINE_WAIT_S = 0.001
/** A change is to be dated to within this, seconds; 5 ms less what timers vary. */
const HALF_WIDTH_S = 0.0047
/** The same for a fast counter, as a share of its tick. */
const HALF_WIDTH_TICKS = 0.1
/** A poll that starts later than this was held up by something that tells nothing about the next one. */
const MAX_LATE_S = 0.002
/** After this long without a change the counter is slow, and polls may be farther apart: a share of its silence. */
const LEARNING_S = 1
const SLOW_SHARE = 0.01
const MAX_SLOW_WAIT_S = 0.25
const INTERVALS_TO_LEARN = 3
/** The errors of all dates but the first and the last cancel in the mean, so many intervals make a good one. */
const INTERVALS_KEPT = 50
/** Changes that do not come when they are expected, or stay away, before the tick is learned anew. */
const MISSES_TO_RELEARN = 3
/** How much of a miss a fit makes up for: a wrong tick fits now and then, too. */
const FIT_CREDIT = 0.25
const PHASE_GAIN = 0.2
const JITTER_STEP_S = 0.0015
const JITTER_DECAY = 0.985
/** A longer read counts at once, a shorter one little by little, so that the gap between two polls is seldom too long. */
const UP_SMOOTHING = 0.3
const DOWN_SMOOTHING = 0.05

interface TickState {
  /** Where the search for the tick began, or its last change. */
  learningSinceS: number
  lastChangeS: number | undefined
  lastUnchangedStartS: number | undefined
  intervalsS: number[]
  /** Mean of the intervals, once there are enough of them. */
  tickS: number | undefined
  expectedS: number
  readS: number
  /** How much later than asked a poll usually starts. */
  lateS: number
  /** How much earlier than expected a change may come. */
  jitterS: number
  misses: number
  /** When the next poll was asked for. */
  dueS: number | undefined
}

/**
 * Learns the tick of a counter by fast polling, then polls twice a tick: once before the change that it expects and once
 * after it, close enough together to date it. A change that comes late costs one more poll; one that comes early was not
 * bracketed, so the next first poll is earlier. What stays away, or keeps coming at other times, is learned anew.
 */
export function createTickPacer(): Pacer {
  const state: TickState = {
    learningSinceS: Number.NaN,
    lastChangeS: undefined,
    lastUnchangedStartS: undefined,
    intervalsS: [],
    tickS: undefined,
    expectedS: 0,
    readS: 0,
    lateS: 0,
    jitterS: 0.003,
    misses: 0,
    dueS: undefined,
  }
  return {
    next(outcome) {
      const waitS = nextWait(state, outcome)
      state.dueS = outcome.endS + waitS
      return waitS
    },
  }
}

function nextWait(state: TickState, outcome: PollOutcome): number {
  followPolls(state, outcome)
  if (outcome.changed) takeChange(state, outcome)
  else state.lastUnchangedStartS = outcome.startS
  const { tickS } = state
  if (tickS === undefined) return learningWait(state, outcome.endS)
  if (!outcome.changed) return waitForChange(state, outcome, tickS)
  state.expectedS += tickS
  return waitUntilExpected(state, outcome.endS)
}

/** Follows how long reads take and how late they start; one slow read must not count for more than a few. */
function followPolls(state: TickState, { changed, startS, endS }: PollOutcome): void {
  if (Number.isNaN(state.learningSinceS)) state.learningSinceS = startS
  const readS = endS - startS
  if (state.readS === 0) state.readS = readS
  else if (!changed) state.readS = follow(state.readS, Math.min(readS, 2 * state.readS))
  const lateS = state.dueS === undefined ? 0 : Math.max(0, startS - state.dueS)
  state.lateS = follow(state.lateS, Math.min(lateS, MAX_LATE_S))
}

function follow(usualS: number, latestS: number): number {
  const smoothing = latestS > usualS ? UP_SMOOTHING : DOWN_SMOOTHING
  return usualS + smoothing * (latestS - usualS)
}

function learningWait(state: TickState, nowS: number): number {
  const silentS = nowS - state.learningSinceS
  if (silentS < LEARNING_S) return FINE_WAIT_S
  return Math.min(MAX_SLOW_WAIT_S, SLOW_SHARE * silentS)
}

function takeChange(state: TickState, outcome: PollOutcome): void {
  const { tickS } = state
  const wasBracketed = state.lastUnchangedStartS !== undefined
  const dateS = wasBracketed ? middleOf(state, outcome) : (outcome.startS + outcome.endS) / 2
  if (tickS === undefined) state.expectedS = dateS
  else if (followPhase(state, { dateS, wasBracketed, tickS })) {
    relearn(state, outcome.endS)
    return
  }
  // An interval from or to a change that nobody bracketed says little about the tick.
  if (state.lastChangeS !== undefined && wasBracketed)
    takeInterval(state, dateS - state.lastChangeS, tickS)
  state.lastChangeS = wasBracketed ? dateS : undefined
  state.lastUnchangedStartS = undefined
  state.learningSinceS = outcome.endS
}

function middleOf(state: TickState, { startS, endS }: PollOutcome): number {
  return ((state.lastUnchangedStartS ?? startS) + endS) / 2
}

interface Found {
  readonly dateS: number
  readonly wasBracketed: boolean
  readonly tickS: number
}

/** Moves the expectation towards what came. True when it did not fit too often. */
function followPhase(state: TickState, { dateS, wasBracketed, tickS }: Found): boolean {
  const errorS = dateS - state.expectedS
  const isFit = wasBracketed && Math.abs(errorS) < tickS / 4
  state.misses = isFit ? Math.max(0, state.misses - FIT_CREDIT) : state.misses + 1
  if (wasBracketed) {
    state.expectedS += isFit ? PHASE_GAIN * errorS : errorS
    state.jitterS *= JITTER_DECAY
  } else {
    // The first poll already saw the change: it came early, so be earlier next time.
    state.expectedS = Math.min(state.expectedS, dateS)
    state.jitterS = Math.min(tickS / 4, state.jitterS + JITTER_STEP_S)
  }
  return state.misses >= MISSES_TO_RELEARN
}

/** An interval over several ticks counts as one tick when it is a whole number of them. */
function takeInterval(state: TickState, intervalS: number, tickS: number | undefined): void {
  const ticks = tickS === undefined ? 1 : Math.max(1, Math.round(intervalS / tickS))
  state.intervalsS.push(intervalS / ticks)
  if (state.intervalsS.length > INTERVALS_KEPT) state.intervalsS.shift()
  if (state.intervalsS.length < INTERVALS_TO_LEARN) return
  state.tickS = state.intervalsS.reduce((sum, one) => sum + one, 0) / state.intervalsS.length
}

function waitForChange(state: TickState, outcome: PollOutcome, tickS: number): number {
  const lateS = outcome.endS - state.expectedS
  if (lateS < tickS / 4) return clamp(gapS(state) / 2 - lateS, FINE_WAIT_S, gapS(state))
  state.misses += 1
  if (state.misses >= MISSES_TO_RELEARN) {
    relearn(state, outcome.endS)
    return FINE_WAIT_S
  }
  state.expectedS += tickS
  return waitUntilExpected(state, outcome.endS)
}

function relearn(state: TickState, nowS: number): void {
  state.intervalsS = []
  state.tickS = undefined
  state.lastChangeS = undefined
  state.lastUnchangedStartS = undefined
  state.learningSinceS = nowS
  state.misses = 0
}

/** Wakes early enough for one whole read to end before the change comes. */
function waitUntilExpected(state: TickState, nowS: number): number {
  const leadS = state.readS + state.lateS + Math.max(gapS(state) / 2, state.jitterS)
  return Math.max(FINE_WAIT_S, state.expectedS - leadS - nowS)
}

/** Time from the end of one poll to the start of the next with which both together still date the change well enough. */
function gapS(state: TickState): number {
  const halfWidthS = Math.min(HALF_WIDTH_S, HALF_WIDTH_TICKS * (state.tickS ?? 1))
  return Math.max(FINE_WAIT_S, 2 * (halfWidthS - state.readS) - state.lateS)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

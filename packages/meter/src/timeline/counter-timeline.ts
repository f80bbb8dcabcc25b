import {
  type DomainEnergy,
  type TimelinePoint,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { closeBreak, isBreak, isLasting, openBreak, type TimelineBreak } from './breaks.js'
import { counterEnergy } from './counter-energy.js'
import {
  type ChangeDate,
  type CounterPoll,
  dateChange,
  datePublication,
  usualRead,
} from './dating.js'
import { indicesWithin, numberAt } from './series.js'
import { recentTickS, tickHistory } from './tick-history.js'
import type { Timeline, TimelineOptions, TimelineRange } from './timeline.js'

/** Before the first change nobody knows how long the value has stood; no counter in use stands longer, seconds. */
const UNKNOWN_AGE_S = 1
const DEFAULT_MAX_POWER_W = 2000
/** A day at 10 changes a second, 24 MB; the oldest half goes when it is full. */
const MAX_CHANGES = 1_000_000

/** State of a counter timeline. The three lists are parallel: one entry a change. */
export interface CounterLog {
  readonly options: TimelineOptions
  timesS: number[]
  halfWidthsS: number[]
  energiesJ: number[]
  readonly breaks: TimelineBreak[]
  /** Last poll that was believed. */
  last: CounterPoll | undefined
  /** Date of the last change of this segment; a break starts a new one. */
  lastChange: ChangeDate | undefined
  /** A value that does not fit; the next poll tells a glitch from a new beginning. */
  doubtful: { readonly poll: CounterPoll; readonly why: Unavailable } | undefined
  usualReadS: number
  rejected: number
  failure: Unavailable | undefined
  /** Why the polls since the last good one gave nothing. */
  silence: Unavailable | undefined
  /** Entries that were dropped because the memory for them is bounded. */
  dropped: number
}

/** A timeline of a cumulative counter: keeps its changes, drops the polls between them. */
export function createCounterTimeline(options: TimelineOptions): Timeline {
  const log: CounterLog = {
    options,
    timesS: [],
    halfWidthsS: [],
    energiesJ: [],
    breaks: [],
    last: undefined,
    lastChange: undefined,
    doubtful: undefined,
    usualReadS: 0,
    rejected: 0,
    failure: undefined,
    silence: undefined,
    dropped: 0,
  }
  return {
    add(sample, startS, endS) {
      if ('status' in sample) fail(log, sample)
      else if (sample.type === 'energy') addPoll(log, pollOf(sample, startS, endS))
    },
    energyBetween: (startS, endS): DomainEnergy => counterEnergy(log, startS, endS),
    reaches: (timeS) => reaches(log, timeS),
    points: (range) => pointsOf(log, range),
    tickS: () => recentTickS(log, log.timesS.length),
    rejected: () => log.rejected,
  }
}

function pollOf(
  { energyJ, atS }: { readonly energyJ: number; readonly atS?: number },
  startS: number,
  endS: number,
): CounterPoll {
  return atS === undefined ? { startS, endS, energyJ } : { startS, endS, energyJ, atS }
}

function pointsOf(log: CounterLog, range: TimelineRange = {}): readonly TimelinePoint[] {
  return indicesWithin(log.timesS, range).map((index) => ({
    timeS: numberAt(log.timesS, index),
    halfWidthS: numberAt(log.halfWidthsS, index),
    energyJ: numberAt(log.energiesJ, index),
  }))
}

/** The tick of an edge is laid out by its neighbours, so the one after it must be known too. */
function reaches(log: CounterLog, timeS: number): boolean {
  if (log.failure !== undefined && isLasting(log.failure)) return true
  const brokenFromS = log.breaks.at(-1)?.fromS
  return (log.timesS.at(-2) ?? -1) >= timeS || (brokenFromS !== undefined && brokenFromS < timeS)
}

function fail(log: CounterLog, why: Unavailable): void {
  log.failure = why
  if (log.last === undefined) return
  if (why.reason === 'device-lost') breakHere(log, why)
  else log.silence ??= why
}

/** A device that comes back may count from a new zero, so that what follows stands by itself. */
function breakHere(log: CounterLog, why: Unavailable): void {
  openBreak(log.breaks, lastKnownS(log), why)
  startSegment(log, undefined)
}

function addPoll(log: CounterLog, poll: CounterPoll): void {
  log.failure = undefined
  endSilence(log, poll)
  if (log.last === undefined) {
    log.last = poll
    if (isDated(log, poll)) recordChange(log, poll)
    return
  }
  if (
    poll.atS !== undefined &&
    poll.atS <= (log.last.atS ?? -1) &&
    poll.energyJ >= log.last.energyJ
  ) {
    log.last = { ...poll, energyJ: log.last.energyJ, atS: log.last.atS ?? poll.atS }
    return
  }
  const why = doubt(log, log.last, poll)
  if (why !== undefined) {
    doubtPoll(log, poll, why)
    return
  }
  if (log.doubtful !== undefined) log.rejected += 1
  log.doubtful = undefined
  acceptPoll(log, log.last, poll)
}

function endSilence(log: CounterLog, poll: CounterPoll): void {
  const { silence, last } = log
  log.silence = undefined
  if (silence === undefined || last === undefined) return
  const spacingS = recentTickS(log, log.timesS.length)
  if (isBreak(poll.endS - last.startS, spacingS)) breakHere(log, silence)
}

/** True when the value is known to be true at one moment, so that it counts also where it has not changed. */
function isDated(log: CounterLog, poll: CounterPoll): boolean {
  return log.options.type === 'steady' || poll.atS !== undefined
}

function acceptPoll(log: CounterLog, last: CounterPoll, poll: CounterPoll): void {
  if (isDated(log, poll) || poll.energyJ !== last.energyJ) recordChange(log, poll)
  else log.usualReadS = usualRead(log.usualReadS, poll.endS - poll.startS)
  log.last = poll
}

function doubt(log: CounterLog, last: CounterPoll, poll: CounterPoll): Unavailable | undefined {
  const gainedJ = poll.energyJ - last.energyJ
  if (!Number.isFinite(gainedJ))
    return unavailable('implausible', `the counter said ${poll.energyJ} J`)
  if (gainedJ < 0) {
    return unavailable(
      'counter-reset',
      `the counter went back from ${last.energyJ} J to ${poll.energyJ} J`,
      'Measure again, and keep the driver loaded meanwhile.',
    )
  }
  const maxPowerW = log.options.maxPowerW ?? DEFAULT_MAX_POWER_W
  const sinceS = poll.endS - (log.lastChange?.timeS ?? last.startS - UNKNOWN_AGE_S)
  const slackS = log.lastChange?.halfWidthS ?? 0
  if (gainedJ <= maxPowerW * (sinceS + slackS) + (log.options.resolutionJ ?? 0.001))
    return undefined
  return unavailable(
    'implausible',
    `the counter gained ${gainedJ} J in ${sinceS.toFixed(3)} s, more than ${maxPowerW} W`,
    'Update the driver; the value is a known fault of some versions.',
  )
}

/** One strange value is left out; a second one that fits the first means that the counter really moved there. */
function doubtPoll(log: CounterLog, poll: CounterPoll, why: Unavailable): void {
  const earlier = log.doubtful
  if (earlier !== undefined) log.rejected += 1
  if (earlier === undefined || !follows(log, earlier.poll, poll)) {
    log.doubtful = { poll, why }
    return
  }
  openBreak(log.breaks, lastKnownS(log), earlier.why)
  startSegment(log, poll)
}

function follows(log: CounterLog, earlier: CounterPoll, poll: CounterPoll): boolean {
  const gainedJ = poll.energyJ - earlier.energyJ
  const maxPowerW = log.options.maxPowerW ?? DEFAULT_MAX_POWER_W
  return gainedJ >= 0 && gainedJ <= maxPowerW * (poll.endS - earlier.startS + UNKNOWN_AGE_S)
}

function startSegment(log: CounterLog, first: CounterPoll | undefined): void {
  log.last = first
  log.lastChange = undefined
  log.doubtful = undefined
}

function lastKnownS(log: CounterLog): number {
  return log.lastChange?.timeS ?? log.last?.startS ?? 0
}

function recordChange(log: CounterLog, poll: CounterPoll): void {
  const before = isDated(log, poll) ? poll : (log.last ?? poll)
  const date = dateOf(log, before, poll)
  // Dates must ascend, or the interpolation has no meaning.
  const timeS = Math.max(date.timeS, (log.timesS.at(-1) ?? -1) + 1e-6)
  log.lastChange = { timeS, halfWidthS: date.halfWidthS }
  closeBreak(log.breaks, timeS)
  log.timesS.push(timeS)
  log.halfWidthsS.push(date.halfWidthS)
  log.energiesJ.push(poll.energyJ)
  if (log.timesS.length > MAX_CHANGES) dropOldest(log, MAX_CHANGES / 2)
}

function dateOf(log: CounterLog, before: CounterPoll, poll: CounterPoll): ChangeDate {
  if (poll.atS !== undefined) return datePublication(poll, poll.atS)
  if (log.options.type === 'steady') return dateChange(poll, poll)
  return dateChange(before, poll, log.lastChange === undefined ? undefined : tickHistory(log))
}

function dropOldest(log: CounterLog, count: number): void {
  log.timesS = log.timesS.slice(count)
  log.halfWidthsS = log.halfWidthsS.slice(count)
  log.energiesJ = log.energiesJ.slice(count)
  log.dropped += count
}

/** One read of a cumulative counter; the value was true at some moment from `startS` to `endS`. */
export interface CounterPoll {
  readonly startS: number
  readonly endS: number
  readonly energyJ: number
  /** When the device published the value, where it says so; monotonic seconds. */
  readonly atS?: number
}

/** When a change happened: `timeS` give or take `halfWidthS`. */
export interface ChangeDate {
  readonly timeS: number
  readonly halfWidthS: number
}

/** What is known of the ticks before a change. */
export interface TickHistory {
  /** Where the last tick was, from several dates. */
  readonly last: ChangeDate
  readonly tickS: number
  /** Usual length of a read, seconds. */
  readonly usualReadS: number
}

/** A read that takes this many times the usual one may have waited for the update of the counter. */
const BLOCKED_FACTOR = 1.5
/** Shorter reads than this say nothing by their length. */
const BLOCKED_MIN_S = 0.001
/** A date known worse than this share of a tick is not good enough by itself. */
const WIDE_TICKS = 0.1
/** How unevenly a counter ticks, as a share of the tick: on an H200 97 to 103 ms. */
const UNEVEN_TICKS = 0.03

/**
 * Dates a change by the last poll that saw the old value and the first that saw the new one.
 *
 * The change lies anywhere from the start of the one to the end of the other; without more, the middle is the
 * best guess. Two things narrow it. A read that meets the update of the driver waits for it (recorded on an H200:
 * 9.5 ms in place of 3.1 ms, and the ends of those reads keep 100 ms apart to 0.7 ms), so the end of a long read
 * is the date, provided that the tick was due: a thread that lost the processor looks the same. And where late
 * polls leave the interval wide, the evenness of the ticks tells the place in it.
 */
export function dateChange(
  before: CounterPoll,
  after: CounterPoll,
  history?: TickHistory,
): ChangeDate {
  const date = {
    timeS: (before.startS + after.endS) / 2,
    halfWidthS: (after.endS - before.startS) / 2,
  }
  if (history === undefined) return date
  if (waitedForTick(after, history)) {
    return { timeS: after.endS, halfWidthS: history.usualReadS / 2 }
  }
  return narrowDate(date, after, history)
}

/** How well the clock of a device is known against ours, seconds. */
const STAMP_HALF_WIDTH_S = 0.001

/** Dates a value by the time that the device itself gave; no value is newer than the read that saw it. */
export function datePublication({ endS }: CounterPoll, atS: number): ChangeDate {
  return { timeS: Math.min(atS, endS), halfWidthS: STAMP_HALF_WIDTH_S }
}

function waitedForTick({ startS, endS }: CounterPoll, history: TickHistory): boolean {
  const readS = endS - startS
  if (history.usualReadS === 0 || readS < BLOCKED_MIN_S) return false
  if (readS < BLOCKED_FACTOR * history.usualReadS) return false
  const ticks = Math.round((endS - history.last.timeS) / history.tickS)
  const errorS = Math.abs(endS - history.last.timeS - ticks * history.tickS)
  return errorS <= history.last.halfWidthS + UNEVEN_TICKS * history.tickS
}

/**
 * Narrows a date that late polls left wide. The counter ticks evenly, so a value stems from the last tick before
 * its read: not longer ago than a tick and, counted on from the last change, at a known moment. Where that moment
 * is too near to the read to tell whether it came before or after, the date stays one tick wide.
 */
export function narrowDate(date: ChangeDate, after: CounterPoll, history: TickHistory): ChangeDate {
  if (date.halfWidthS <= WIDE_TICKS * history.tickS) return date
  const seenS = date.timeS - date.halfWidthS
  const earliestS = after.startS - (1 + UNEVEN_TICKS) * history.tickS
  const withinTick = between(Math.max(seenS, earliestS), after.endS)
  const counted = countedDate(seenS, after, history)
  return counted !== undefined && counted.halfWidthS < withinTick.halfWidthS ? counted : withinTick
}

/**
 * The moment counted on from the last change. It is the only one when the tick before it is too old: seen already by
 * the poll before, at `seenS`, or the last change itself.
 */
function countedDate(
  seenS: number,
  after: CounterPoll,
  { last, tickS }: TickHistory,
): ChangeDate | undefined {
  const doubtOf = (ticks: number): number => last.halfWidthS + UNEVEN_TICKS * ticks * tickS
  const nearest = Math.round((after.endS - last.timeS) / tickS)
  const isDue = last.timeS + nearest * tickS - doubtOf(nearest) <= after.endS
  const ticks = isDue ? nearest : nearest - 1
  // A tick that was due and was seen not to come: the counter does not keep its pace now.
  if (ticks < 1 || seenS > last.timeS + tickS + doubtOf(1)) return undefined
  const doubtS = doubtOf(ticks)
  const timeS = last.timeS + ticks * tickS
  const isPast = timeS + doubtS < after.endS
  const isBeforeTooOld = ticks === 1 || timeS - tickS + doubtS < seenS
  if (!isPast && !isBeforeTooOld) return undefined
  const counted = between(Math.max(timeS - doubtS, seenS), Math.min(timeS + doubtS, after.endS))
  return counted.halfWidthS > 0 ? counted : undefined
}

function between(fromS: number, untilS: number): ChangeDate {
  return { timeS: (fromS + untilS) / 2, halfWidthS: (untilS - fromS) / 2 }
}

/** Follows the usual length of a read, seconds; `previousS` is 0 before the first read. */
export function usualRead(previousS: number, readS: number): number {
  if (previousS === 0) return readS
  // One slow read must not count for more than a few usual ones.
  return previousS + 0.05 * (Math.min(readS, 3 * previousS) - previousS)
}

import type { Unavailable } from '@energy-bench/spec'

/** A stretch over which no energy can be stated. `untilS` is infinite while it lasts. */
export interface TimelineBreak {
  readonly fromS: number
  untilS: number
  readonly why: Unavailable
}

/** Opens a break, unless one is open already. */
export function openBreak(breaks: TimelineBreak[], fromS: number, why: Unavailable): void {
  if (breaks.at(-1)?.untilS === Number.POSITIVE_INFINITY) return
  breaks.push({ fromS, untilS: Number.POSITIVE_INFINITY, why })
}

/** Ends the open break, if there is one. */
export function closeBreak(breaks: readonly TimelineBreak[], atS: number): void {
  const last = breaks.at(-1)
  if (last !== undefined && last.untilS === Number.POSITIVE_INFINITY) last.untilS = atS
}

/** The first break that touches the window. */
export function breakWithin(
  breaks: readonly TimelineBreak[],
  startS: number,
  endS: number,
): TimelineBreak | undefined {
  return breaks.find((entry) => entry.fromS < endS && entry.untilS > startS)
}

/** True for a failure that waiting does not mend. */
export function isLasting(why: Unavailable): boolean {
  return why.reason === 'not-supported' || why.reason === 'permission-denied'
}

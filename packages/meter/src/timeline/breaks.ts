import type { Unavailable } from '@energy-bench/spec'

/** A stretch over which no energy can be stated. `untilS` is infinite while it lasts. */
export interface TimelineBreak {
  readonly fromS: number
  untilS: number
  readonly why: Unavailable
}

/** A source that comes and goes for days must not fill the memory; the oldest breaks go first. */
const MAX_BREAKS = 10_000

/** Opens a break, unless one is open already. */
export function openBreak(breaks: TimelineBreak[], fromS: number, why: Unavailable): void {
  if (breaks.at(-1)?.untilS === Number.POSITIVE_INFINITY) return
  breaks.push({ fromS, untilS: Number.POSITIVE_INFINITY, why })
  if (breaks.length > MAX_BREAKS) breaks.splice(0, MAX_BREAKS / 2)
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

/**
 * Usual spacings without a value after which the stretch is a break. A shorter one is a lost poll: a counter counts on
 * meanwhile, so that the energy is there at the next poll, and only its place in time is less certain.
 */
const SILENT_SPACINGS = 3
/** While the usual spacing is not known, seconds. */
const SILENT_S = 1

/** True when a source was without values for so long that nothing may be said about the time in between. */
export function isBreak(silentS: number, spacingS: number | undefined): boolean {
  return silentS > (spacingS === undefined ? SILENT_S : SILENT_SPACINGS * spacingS)
}

/** True for a failure that waiting does not mend. */
export function isLasting(why: Unavailable): boolean {
  return why.reason === 'not-supported' || why.reason === 'permission-denied'
}

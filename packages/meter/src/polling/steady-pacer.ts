import type { Pacer } from './tick-pacer.js'

/** Polls at even intervals, seconds from the end of one to the start of the next. */
export function createSteadyPacer(intervalS: number): Pacer {
  return { next: () => intervalS }
}

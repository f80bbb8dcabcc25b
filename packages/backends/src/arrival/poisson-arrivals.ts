import { createRandom } from './random.js'

/** How many arrivals, and when they are over: at the first limit that is reached. At least one is needed. */
export type ArrivalLimit =
  | { readonly requests: number; readonly durationS?: number }
  | { readonly requests?: number; readonly durationS: number }

/** Which arrivals to draw. */
export type PoissonOptions = ArrivalLimit & {
  /** Mean arrivals a second. */
  readonly ratePerS: number
  /** The same seed gives the same arrivals. Default 0. */
  readonly seed?: number
}

/**
 * Draws a Poisson process: seconds from the start of the load at which requests arrive, rising. Gaps are
 * exponential, by inversion (Devroye 1986, II.2).
 */
export function poissonArrivals(options: PoissonOptions): readonly number[] {
  const { ratePerS, requests = Number.POSITIVE_INFINITY } = options
  const { durationS = Number.POSITIVE_INFINITY } = options
  const random = createRandom(options.seed ?? 0)
  const arrivalsS: number[] = []
  let timeS = 0
  while (arrivalsS.length < requests) {
    timeS -= Math.log(1 - random()) / ratePerS
    if (timeS >= durationS) break
    arrivalsS.push(timeS)
  }
  return arrivalsS
}

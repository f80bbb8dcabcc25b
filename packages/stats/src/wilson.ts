import { EnergyBenchError } from '@energy-bench/spec'
import type { Interval } from './interval.js'
import { normalQuantile } from './normal.js'

/**
 * Score interval of a share (Wilson 1927), ends from 0 to 1. `successes` may be a sum of item means, so that repeating
 * an item does not count as a new item.
 */
export function wilson(successes: number, n: number, level = 0.95): Interval {
  if (!(n > 0 && successes >= 0 && successes <= n)) {
    throw new EnergyBenchError(
      'usage-invalid',
      `wilson: ${successes} successes of ${n} is no share.`,
    )
  }
  const z2 = normalQuantile((1 + level) / 2) ** 2
  const share = successes / n
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n)
  const half = Math.sqrt((z2 * share * (1 - share)) / n + (z2 / (2 * n)) ** 2) / (1 + z2 / n)
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

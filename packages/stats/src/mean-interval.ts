import { mean, sampleStd } from './describe.js'
import type { Interval } from './interval.js'
import { studentQuantile } from './student.js'

/** Student t interval of a mean, in the unit of the values (`mean +- t(n - 1) * std / sqrt(n)`); null for fewer than two. */
export function meanInterval(values: readonly number[], level = 0.95): Interval | null {
  const std = sampleStd(values)
  if (std === null) return null
  const centre = mean(values)
  const half =
    (studentQuantile((1 + level) / 2, values.length - 1) * std) / Math.sqrt(values.length)
  return { low: centre - half, high: centre + half }
}

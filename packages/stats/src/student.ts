import { EnergyBenchError } from '@energy-bench/spec'
import { symmetricQuantile } from './bisect.js'
import { requireShare } from './share.js'

/**
 * Probability that a Student t value with `degrees` degrees of freedom is below `t`.
 * Finite sums 26.7.3 and 26.7.4 of Abramowitz and Stegun, exact for whole degrees.
 */
export function studentCdf(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees))
  const inside = degrees % 2 === 0 ? evenShare(angle, degrees) : oddShare(angle, degrees)
  return 0.5 + inside / 2
}

/** Student t quantile for whole degrees of freedom: `studentQuantile(0.975, 2)` is 4.30265. */
export function studentQuantile(share: number, degrees: number): number {
  requireShare(share, 'studentQuantile: share')
  if (!(Number.isInteger(degrees) && degrees >= 1)) {
    throw new EnergyBenchError(
      'usage-invalid',
      `studentQuantile: degrees must be a whole number of 1 or more, got ${degrees}.`,
    )
  }
  return symmetricQuantile((t) => studentCdf(t, degrees), share)
}

/** Share within -t to t for an odd number of degrees (26.7.3). */
function oddShare(angle: number, degrees: number): number {
  const cosine = Math.cos(angle)
  let term = cosine
  let total = degrees === 1 ? 0 : term
  for (let k = 3; k <= degrees - 2; k += 2) {
    term *= (cosine * cosine * (k - 1)) / k
    total += term
  }
  return (2 / Math.PI) * (angle + Math.sin(angle) * total)
}

/** Share within -t to t for an even number of degrees (26.7.4). */
function evenShare(angle: number, degrees: number): number {
  const cosine = Math.cos(angle)
  let term = 1
  let total = 1
  for (let k = 2; k <= degrees - 2; k += 2) {
    term *= (cosine * cosine * (k - 1)) / k
    total += term
  }
  return Math.sin(angle) * total
}

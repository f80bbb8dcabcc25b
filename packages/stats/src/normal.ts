import { symmetricQuantile } from './bisect.js'
import { requireShare } from './share.js'

/** Probability that a standard normal value is below `z`. Series of Marsaglia 2004 (J. Stat. Softw. 11, 4). */
export function normalCdf(z: number): number {
  if (z > 8) return 1
  if (z < -8) return 0
  let term = z
  let total = z
  for (let odd = 3; total + term !== total; odd += 2) {
    term *= (z * z) / odd
    total += term
  }
  return 0.5 + total * Math.exp(-(z * z) / 2 - Math.log(2 * Math.PI) / 2)
}

/** Standard normal quantile: `normalQuantile(0.975)` is 1.95996. Good to 9 digits for shares from 1e-6 to 1 - 1e-6. */
export function normalQuantile(share: number): number {
  requireShare(share, 'normalQuantile: share')
  return symmetricQuantile(normalCdf, share)
}

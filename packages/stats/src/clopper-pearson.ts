import { EnergyBenchError } from '@energy-bench/spec'
import { requireShare } from './share.js'

/**
 * Upper end of the two-sided exact interval of a share when none of `n` succeeded, 0 to 1:
 * `1 - ((1 - level) / 2) ^ (1 / n)` (Clopper and Pearson 1934).
 */
export function zeroSuccessesUpper(n: number, level = 0.95): number {
  requireShare(level, 'zeroSuccessesUpper: level')
  if (!(n > 0)) {
    throw new EnergyBenchError('usage-invalid', `zeroSuccessesUpper: n must be above 0, got ${n}.`)
  }
  return 1 - ((1 - level) / 2) ** (1 / n)
}

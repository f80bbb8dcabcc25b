import { EnergyBenchError } from '@energy-bench/spec'
import { zeroSuccessesUpper } from './clopper-pearson.js'
import { mean, sum } from './describe.js'
import type { Interval } from './interval.js'
import { normalQuantile } from './normal.js'
import { studentQuantile } from './student.js'

/** One item: what it cost, and how much of a correct answer it gave (0 to 1). */
export interface RatioPair {
  readonly numerator: number
  readonly denominator: number
}

/**
 * Ratio of sums over items with its interval, all in the unit of the numerator.
 * `no-correct`: every denominator is 0. `too-few-correct`: the data do not bound the ratio from above.
 */
export type RatioInterval =
  | ({
      readonly status: 'ok'
      readonly value: number
      /** `fieller` where the numerator is not separated from 0, so that its logarithm says nothing. */
      readonly method: 'log-delta' | 'fieller'
    } & Interval)
  | { readonly status: 'no-correct'; readonly lowerBound: number }
  | {
      readonly status: 'too-few-correct'
      /** Null where the data give no lower end either. */
      readonly lowerBound: number | null
    }

/**
 * Interval of `sum(numerator) / sum(denominator)` over items drawn independently. Log-delta: `R * exp(+-z * se)` with
 * `se^2 = var(u)/u^2 + var(v)/v^2 - 2 cov(u,v)/(uv)`, u and v the item means (Cochran 1977, ratio estimator, on the log
 * scale). Fieller's theorem (1954) guards it: a quadratic without an upper end gives `too-few-correct`.
 */
export function ratioInterval(pairs: readonly RatioPair[], level = 0.95): RatioInterval {
  if (pairs.length === 0) {
    throw new EnergyBenchError('usage-invalid', 'ratioInterval: there are no items.')
  }
  const total = sum(pairs.map((pair) => pair.numerator))
  if (pairs.every((pair) => pair.denominator === 0)) {
    const upper = zeroSuccessesUpper(pairs.length, level)
    return { status: 'no-correct', lowerBound: total / (pairs.length * upper) }
  }
  if (pairs.length === 1) return { status: 'too-few-correct', lowerBound: null }
  return boundedRatio(momentsOf(pairs), level)
}

interface Moments {
  readonly n: number
  readonly u: number
  readonly v: number
  /** Variances and covariance of the means. */
  readonly uu: number
  readonly vv: number
  readonly uv: number
}

function momentsOf(pairs: readonly RatioPair[]): Moments {
  const n = pairs.length
  const u = mean(pairs.map((pair) => pair.numerator))
  const v = mean(pairs.map((pair) => pair.denominator))
  const spread = (product: (du: number, dv: number) => number) =>
    sum(pairs.map((pair) => product(pair.numerator - u, pair.denominator - v))) / (n - 1) / n
  return {
    n,
    u,
    v,
    uu: spread((a) => a * a),
    vv: spread((_, b) => b * b),
    uv: spread((a, b) => a * b),
  }
}

function boundedRatio(moments: Moments, level: number): RatioInterval {
  const fieller = fiellerSet(moments, studentQuantile((1 + level) / 2, moments.n - 1))
  if (fieller.status !== 'ok' || fieller.method === 'fieller') return fieller
  const { u, v, uu, vv, uv } = moments
  const variance = uu / u ** 2 + vv / v ** 2 - (2 * uv) / (u * v)
  // Rounding can leave a variance of -1e-17 when every item is alike.
  const factor = Math.exp(normalQuantile((1 + level) / 2) * Math.sqrt(Math.max(0, variance)))
  const value = u / v
  return { status: 'ok', value, low: value / factor, high: value * factor, method: 'log-delta' }
}

/** Fieller's confidence set: the R with `a R^2 - 2 b R + c <= 0`. Its `method` says whether a logarithm is safe. */
function fiellerSet({ u, v, uu, vv, uv }: Moments, t: number): RatioInterval {
  const a = v * v - t * t * vv
  const b = u * v - t * t * uv
  const c = u * u - t * t * uu
  const root = Math.sqrt(Math.max(0, b * b - a * c))
  if (a <= 0) {
    // With u above 0 for sure, the set is all beyond its positive root; otherwise it has no lower end.
    const hasLowerEnd = u > 0 && c > 0 && a < 0
    return { status: 'too-few-correct', lowerBound: hasLowerEnd ? (b - root) / a : null }
  }
  const method = u > 0 && c > 0 ? 'log-delta' : 'fieller'
  return { status: 'ok', value: u / v, low: (b - root) / a, high: (b + root) / a, method }
}

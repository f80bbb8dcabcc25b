import { EnergyBenchError } from '@energy-bench/spec'

/** Sum in the unit of the values; 0 of nothing. Neumaier's compensated sum, so that long runs do not lose digits. */
export function sum(values: readonly number[]): number {
  let total = 0
  let lost = 0
  for (const value of values) {
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + lost
}

/** Arithmetic mean, in the unit of the values. Throws `usage-invalid` for an empty list. */
export function mean(values: readonly number[]): number {
  requireSome(values, 'mean')
  return sum(values) / values.length
}

/** Sample standard deviation (divisor n - 1), in the unit of the values; null for fewer than two values. */
export function sampleStd(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const centre = mean(values)
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1))
}

/** Sample standard deviation over the absolute mean, a ratio; null for fewer than two values or a mean of 0. */
export function coefficientOfVariation(values: readonly number[]): number | null {
  const std = sampleStd(values)
  if (std === null) return null
  const centre = Math.abs(mean(values))
  return centre === 0 ? null : std / centre
}

/** Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). */
export function quantile(values: readonly number[], share: number): number {
  requireSome(values, 'quantile')
  if (!(share >= 0 && share <= 1)) {
    throw new EnergyBenchError('usage-invalid', `quantile: share must be 0 to 1, got ${share}.`)
  }
  const sorted = values.toSorted((a, b) => a - b)
  const position = share * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

function requireSome(values: readonly number[], name: string): void {
  if (values.length > 0) return
  throw new EnergyBenchError('usage-invalid', `${name}: the list is empty.`)
}

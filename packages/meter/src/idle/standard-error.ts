/**
 * Standard error of the mean of values that follow each other and are alike to their neighbours, as powers are: with
 * the correlation r of neighbours, n values are worth n (1 - r) / (1 + r) independent ones (an AR(1) process; Wilks,
 * Statistical Methods in the Atmospheric Sciences, 5.2.4). A negative r is taken as 0: it comes from the edges between
 * the values, and must not make the mean look better. Fewer than two values have no scatter to tell, so 0.
 */
export function correlatedStandardError(values: readonly number[]): number {
  const count = values.length
  if (count < 2) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const deviations = values.map((value) => value - mean)
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0)
  if (squares === 0) return 0
  const products = deviations
    .slice(1)
    .reduce((sum, deviation, index) => sum + deviation * (deviations[index] ?? 0), 0)
  // The estimate of r from few values is too low by about (1 + 4 r) / n (Kendall 1954).
  const raw = products / squares
  const correlation = Math.min(MAX_CORRELATION, Math.max(0, raw + (1 + 4 * raw) / count))
  const independent = Math.max(1, (count * (1 - correlation)) / (1 + correlation))
  return Math.sqrt(squares / (count - 1) / independent)
}

const MAX_CORRELATION = 0.95

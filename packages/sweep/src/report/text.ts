/** A ratio as a percentage with one decimal, for sentences. */
export function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`
}

/** Where a rising function crosses `target`, between `low` and `high`, to the last bit that a double holds. */
export function bisect(
  rising: (x: number) => number,
  target: number,
  range: { readonly low: number; readonly high: number },
): number {
  let { low, high } = range
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) break
    if (rising(middle) < target) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The same, for a function with values 0 to 1 that is symmetric about 0. Widens its range until it holds the answer. */
export function symmetricQuantile(cdf: (x: number) => number, share: number): number {
  if (share === 0.5) return 0
  if (share < 0.5) return -symmetricQuantile(cdf, 1 - share)
  let high = 1
  while (cdf(high) < share && high < 1e9) high *= 2
  return bisect(cdf, share, { low: 0, high })
}

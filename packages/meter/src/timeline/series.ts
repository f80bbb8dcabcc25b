/** Index of the last entry that is not above `value`, or -1; `sorted` ascends. */
export function lastAtOrBelow(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numberAt(sorted, middle) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Entry of a list whose length the caller has checked; NaN outside, which no figure survives. */
export function numberAt(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN
}

/** Indices of the entries from `startS` to `endS`. */
export function indicesWithin(
  sorted: readonly number[],
  { startS = Number.NEGATIVE_INFINITY, endS = Number.POSITIVE_INFINITY },
): readonly number[] {
  const before = lastAtOrBelow(sorted, startS)
  const first = before >= 0 && numberAt(sorted, before) === startS ? before : before + 1
  const length = Math.max(0, lastAtOrBelow(sorted, endS) + 1 - first)
  return Array.from({ length }, (_, offset) => first + offset)
}

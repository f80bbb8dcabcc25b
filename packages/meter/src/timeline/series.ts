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

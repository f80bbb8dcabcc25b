/** How a rail is published. */
export type RailState =
  /** Every poll finds a fresh value. */
  | { readonly status: 'live' }
  /** Values come in batches; `periodS` is the median time between two. */
  | { readonly status: 'batched'; readonly periodS: number }
  /** Nothing new for `sinceS` seconds, longer than any batch. */
  | { readonly status: 'stalled'; readonly sinceS: number }
  /** The chip has no such channel. */
  | { readonly status: 'absent' }

/** Follows how old the newest value is at each poll. Pure: all times are given, seconds of one clock. */
export interface CadenceLog {
  add(publishedS: number, pollS: number): void
  state(): RailState
}

/** A value that is never older than this is as good as fresh, seconds. */
const LIVE_AGE_S = 0.25
const KEPT = 64

/** Makes a log that has seen nothing. */
export function createCadenceLog(): CadenceLog {
  const agesS: number[] = []
  const periodsS: number[] = []
  let lastS: number | undefined
  return {
    add(publishedS, pollS) {
      keep(agesS, pollS - publishedS)
      if (lastS !== undefined && publishedS > lastS) keep(periodsS, publishedS - lastS)
      lastS = publishedS
    },
    state() {
      const oldestS = Math.max(0, ...agesS)
      if (oldestS <= LIVE_AGE_S) return { status: 'live' }
      return { status: 'batched', periodS: medianOf(periodsS) ?? oldestS }
    },
  }
}

function keep(values: number[], value: number): void {
  values.push(value)
  if (values.length > KEPT) values.shift()
}

function medianOf(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

import type { Unavailable } from '@energy-bench/spec'

/** What one poll of a plug gave. A part that the plug does not have is left out. */
export interface WallReading {
  /** Watts drawn from the wall. */
  readonly powerW?: number | Unavailable
  /** Counter of the plug since an arbitrary zero, joules. */
  readonly energyJ?: number | Unavailable
  /** Step of the counter that this answer shows, joules, where it can be coarser than what is usual for the kind. */
  readonly energyStepJ?: number
  /** Middle of the request that carried the power, seconds of the monotonic clock. */
  readonly timeS?: number
  /** A text that changes with every fresh value, where the plug gives one. */
  readonly stamp?: string
}

/** Reads the plug once. Rejects with a `WallFailure` when nothing could be read. */
export type WallDriver = () => Promise<WallReading>

/** What a driver needs from outside. */
export interface WallContext {
  readonly fetch: typeof globalThis.fetch
  /** Seconds of the monotonic clock. */
  readonly now: () => number
  readonly signal: AbortSignal
  /** Longest wait for one request, seconds. */
  readonly timeoutS: number
}

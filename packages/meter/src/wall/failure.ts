import { type Unavailable, type UnavailableReason, unavailable } from '@energy-bench/spec'

export interface WallFailureText {
  /** What happened. Never holds a password, a token or a query. */
  readonly detail: string
  /** What to do. */
  readonly fix: string
  /** Seconds in which the device refuses any further try. */
  readonly retryAfterS?: number
}

/** Ends a read of a plug early; the source turns it into the `Unavailable` that it carries. */
export class WallFailure extends Error {
  override readonly name = 'WallFailure'
  readonly unavailable: Unavailable
  readonly retryAfterS: number

  constructor(reason: UnavailableReason, text: WallFailureText) {
    super(text.detail)
    this.unavailable = unavailable(reason, text.detail, text.fix)
    this.retryAfterS = text.retryAfterS ?? 0
  }
}

/** The answer is not what this kind of plug sends; `what` says what is wrong with it. */
export function mismatch(what: string, fix: string): WallFailure {
  return new WallFailure('driver-mismatch', { detail: what, fix })
}

/** Whatever was thrown, as a failure. Its message is left out, because it may hold an address with a password. */
export function asFailure(error: unknown): WallFailure {
  if (error instanceof WallFailure) return error
  const name = error instanceof Error ? error.name : typeof error
  return new WallFailure('failed', {
    detail: `reading the plug failed (${name})`,
    fix: 'Run the probe of this plug again; report a bug if this stays.',
  })
}

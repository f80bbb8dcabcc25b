/** Why something could not be read. Branch on it; the text for people is in `detail` and `fix`. */
export type UnavailableReason =
  | 'library-missing'
  | 'permission-denied'
  | 'no-device'
  | 'not-supported'
  | 'driver-mismatch'
  | 'device-lost'
  | 'implausible'
  | 'counter-reset'
  | 'no-data'
  | 'window-invalid'
  | 'failed'

/** A value that could not be read. Stands where the value would stand; never replaced by 0. */
export interface Unavailable {
  readonly status: 'unavailable'
  readonly reason: UnavailableReason
  /** What happened, with the value received. */
  readonly detail: string
  /** What the user can do, where something can be done. */
  readonly fix?: string
}

/** Makes an `Unavailable` value. */
export function unavailable(reason: UnavailableReason, detail: string, fix?: string): Unavailable {
  return { status: 'unavailable', reason, detail, ...(fix === undefined ? {} : { fix }) }
}

/** True for the value that `unavailable()` makes. */
export function isUnavailable(value: unknown): value is Unavailable {
  return hasStatus(value, 'unavailable')
}

/** A fact about a run that an engine does not tell. */
export interface Unknown {
  readonly status: 'unknown'
  readonly reason: string
}

/** A fact about a run, or why it cannot be known. */
export type Fact<Value> = Value | Unknown

/** Makes an `Unknown` value. */
export function unknown(reason: string): Unknown {
  return { status: 'unknown', reason }
}

/** True for the value that `unknown()` makes. */
export function isUnknown(value: unknown): value is Unknown {
  return hasStatus(value, 'unknown')
}

function hasStatus(value: unknown, status: string): boolean {
  return typeof value === 'object' && value !== null && 'status' in value && value.status === status
}

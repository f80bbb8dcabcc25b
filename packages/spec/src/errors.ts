const brand = Symbol.for('energy-bench.error')

/** The closed list of reasons for which this SDK throws on purpose. */
export type ErrorCode =
  | 'usage-invalid'
  | 'environment-invalid'
  | 'meter-unavailable'
  | 'measurement-invalid'
  | 'backend-unavailable'
  | 'backend-failed'
  | 'model-invalid'
  | 'task-invalid'
  | 'record-invalid'
  | 'contract-violated'
  | 'save-failed'
  | 'refused'

export interface EnergyBenchErrorOptions {
  /** What to do next, one sentence. */
  readonly fix?: string
  readonly cause?: unknown
  /** True when the same call may succeed later. */
  readonly isRetryable?: boolean
}

/** Every error that energy-bench throws on purpose. Branch on `code`; it is stable across versions. */
export class EnergyBenchError extends Error {
  override readonly name = 'EnergyBenchError'
  readonly [brand] = true
  readonly code: ErrorCode
  readonly fix: string | undefined
  readonly isRetryable: boolean

  /** `message` says what happened, with the value received. */
  constructor(code: ErrorCode, message: string, options: EnergyBenchErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.fix = options.fix
    this.isRetryable = options.isRetryable ?? false
  }
}

/** Works when two copies of this package are loaded, where `instanceof` does not. */
export function isEnergyBenchError(error: unknown): error is EnergyBenchError {
  return error instanceof Error && brand in error
}

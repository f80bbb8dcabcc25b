const brand = Symbol.for('energy-bench.error')

/** The closed list of reasons for which this SDK throws on purpose. */
export type ErrorCode =
  | 'usage-invalid'
  | 'environment-invalid'
  | 'meter-unavailable'
  | 'measurement-invalid'
  /** Nothing answers, or what answers is not the engine. */
  | 'backend-unavailable'
  /** The engine is there and takes no request now. */
  | 'backend-busy'
  | 'backend-timeout'
  /** An answer that broke off before its end. */
  | 'stream-cut'
  | 'backend-failed'
  | 'prompt-too-long'
  | 'model-missing'
  | 'model-invalid'
  | 'task-invalid'
  | 'record-invalid'
  | 'contract-violated'
  | 'save-failed'
  | 'refused'

/** Codes of states that pass by themselves. */
const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  'backend-unavailable',
  'backend-busy',
  'backend-timeout',
  'stream-cut',
])

export interface EnergyBenchErrorOptions {
  /** What to do next, one sentence. */
  readonly fix?: string
  readonly cause?: unknown
  /** True when the same call may succeed later. Default: as the code says. */
  readonly isRetryable?: boolean
  /** How long the engine asks to wait before the next attempt, seconds. */
  readonly retryAfterS?: number
}

/** Every error that energy-bench throws on purpose. Branch on `code`; it is stable across versions. */
export class EnergyBenchError extends Error {
  override readonly name = 'EnergyBenchError'
  readonly [brand] = true
  readonly code: ErrorCode
  readonly fix: string | undefined
  readonly isRetryable: boolean
  readonly retryAfterS: number | undefined

  /** `message` says what happened, with the value received. */
  constructor(code: ErrorCode, message: string, options: EnergyBenchErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.fix = options.fix
    this.isRetryable = options.isRetryable ?? retryableCodes.has(code)
    this.retryAfterS = options.retryAfterS
  }
}

/** Works when two copies of this package are loaded, where `instanceof` does not. */
export function isEnergyBenchError(error: unknown): error is EnergyBenchError {
  return error instanceof Error && brand in error
}

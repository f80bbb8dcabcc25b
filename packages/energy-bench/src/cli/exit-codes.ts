import { type ErrorCode, isEnergyBenchError } from '@energy-bench/spec'

/** Exit codes of the command line. */
export const exitCodes = {
  ok: 0,
  usage: 2,
  environment: 3,
  measurementInvalid: 4,
  network: 5,
  refused: 6,
  interrupted: 130,
} as const

const byErrorCode: Readonly<Record<ErrorCode, number>> = {
  'usage-invalid': exitCodes.usage,
  'task-invalid': exitCodes.usage,
  'environment-invalid': exitCodes.environment,
  'meter-unavailable': exitCodes.environment,
  'model-invalid': exitCodes.environment,
  'model-missing': exitCodes.environment,
  'save-failed': exitCodes.environment,
  'record-invalid': exitCodes.environment,
  'contract-violated': exitCodes.environment,
  'measurement-invalid': exitCodes.measurementInvalid,
  'backend-unavailable': exitCodes.network,
  'backend-busy': exitCodes.network,
  'backend-timeout': exitCodes.network,
  'stream-cut': exitCodes.network,
  'backend-failed': exitCodes.network,
  'prompt-too-long': exitCodes.usage,
  refused: exitCodes.refused,
}

/** The exit code for whatever a command threw; an unexpected error counts as the environment's. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return exitCodes.interrupted
  return isEnergyBenchError(error) ? byErrorCode[error.code] : exitCodes.environment
}

/** The reason that an abort by Ctrl-C or SIGTERM carries. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'

  constructor() {
    super('Interrupted.')
  }
}

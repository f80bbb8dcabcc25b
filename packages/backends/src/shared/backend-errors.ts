import { EnergyBenchError } from '@energy-bench/spec'

/** Error for a call on a model or backend that was disposed. */
export function disposedError(what: string): EnergyBenchError {
  return new EnergyBenchError('backend-failed', `${what} was used after it was disposed.`, {
    fix: 'Load the model again, or dispose it later.',
  })
}

/** Text of any thrown value, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

import process from 'node:process'
import { isEnergyBenchError } from '@energy-bench/spec'
import { InterruptedError } from './exit-codes.js'

/** One line that says what happened, and one that says what to do. Unexpected errors bring their stack. */
export function describeError(error: unknown): string {
  if (error instanceof InterruptedError) return 'Interrupted.\n'
  if (!isEnergyBenchError(error)) {
    return `energy-bench met an unexpected error. Please report it with this text:\n${stack(error)}\n`
  }
  const fix = error.fix === undefined ? '' : `\n  ${error.fix}`
  const detail = process.env.ENERGY_BENCH_DEBUG === undefined ? '' : `\n${stack(error)}`
  return `error: ${error.message}${fix}${detail}\n`
}

function stack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

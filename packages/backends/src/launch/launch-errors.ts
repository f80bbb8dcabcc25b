import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import type { EngineLog } from './engine-log.js'

/** How a process ended. */
export interface EngineExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** What an error about an engine tells. */
export interface EngineRemains {
  readonly name: string
  readonly log: Pick<EngineLog, 'path' | 'lastLines'>
}

const linesInErrors = 20

/** Error for a program that cannot be started at all. */
export function notStarted(command: string, fix: string, cause: unknown): EnergyBenchError {
  return new EnergyBenchError(
    'backend-unavailable',
    `${command} cannot be started: ${messageOf(cause)}.`,
    { fix, cause, isRetryable: false },
  )
}

/** Error for an engine that ended by itself. `when` completes the sentence. */
export async function engineEnded(
  { name, log }: EngineRemains,
  exit: EngineExit,
  { when, cause }: { readonly when: string; readonly cause?: unknown },
): Promise<EnergyBenchError> {
  const how = exit.signal === null ? `with code ${exit.code}` : `by ${exit.signal}`
  const fix =
    exit.signal === 'SIGKILL'
      ? 'Most likely the memory was not enough: take a smaller model, context or number of slots.'
      : `Correct what its last lines say. The whole log is ${log.path}`
  return new EnergyBenchError(
    'backend-unavailable',
    `${name} ended ${how} ${when}. ${await lastWords(log)}`,
    { fix, cause, isRetryable: false },
  )
}

/** Error for an engine that runs and does not get ready. */
export async function neverReady(
  { name, log }: EngineRemains,
  readyUrl: string,
  limitS: number,
): Promise<EnergyBenchError> {
  return new EnergyBenchError(
    'backend-unavailable',
    `${name} runs, but ${readyUrl} was not ready within ${limitS} s. ${await lastWords(log)}`,
    { fix: `Set a larger readyTimeoutS. The whole log is ${log.path}`, isRetryable: false },
  )
}

async function lastWords(log: EngineRemains['log']): Promise<string> {
  const lines = await log.lastLines(linesInErrors)
  if (lines.length === 0) return 'It wrote nothing.'
  return `Its last lines:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

import { EnergyBenchError, isEnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import { rootCause } from './connection-error.js'
import { at } from './json-path.js'
import { isPromptTooLong, saidBy } from './status-error.js'

/** Turns whatever a request threw after its answer began into one typed error of one line. */
export function requestError(cause: unknown, url: string): EnergyBenchError {
  const typed = typedCause(cause)
  if (typed !== undefined) return typed
  if (cause instanceof SyntaxError) return garbageError(url, cause)
  const body = at(cause, 'error')
  return body === undefined ? cutError(url, cause) : engineError(body, cause)
}

/** Clients wrap what `fetch` threw. */
function typedCause(error: unknown): EnergyBenchError | undefined {
  if (isEnergyBenchError(error)) return error
  return error instanceof Error && error.cause !== undefined ? typedCause(error.cause) : undefined
}

/** Makes the error for text where JSON should be. */
export function garbageError(url: string, cause: unknown): EnergyBenchError {
  return new EnergyBenchError(
    'backend-failed',
    `${url} sent something that is not JSON: ${messageOf(cause)}.`,
    { fix: 'Check that baseUrl is the engine, and see its log.', cause },
  )
}

/** Makes the error for an error object in the middle of an answer. */
export function engineError(body: unknown, cause?: unknown): EnergyBenchError {
  const said = saidBy(body) ?? (typeof body === 'string' ? body : JSON.stringify(body))
  const code = isPromptTooLong(body, said) ? 'prompt-too-long' : 'backend-failed'
  return new EnergyBenchError(code, `The engine broke off an answer: ${said}.`, {
    fix: 'See the log of the engine.',
    cause,
  })
}

/** Makes the error for an answer that is not complete; `cause` tells how it broke. */
export function cutError(url: string, cause?: unknown): EnergyBenchError {
  const how = cause === undefined ? 'it ended without a finish reason' : rootCause(cause)
  return new EnergyBenchError('stream-cut', `The answer of ${url} broke in the middle: ${how}.`, {
    fix: 'See whether the engine is still alive and what its log says.',
    cause,
  })
}

import { EnergyBenchError, isEnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import { rootCause } from './http-client.js'
import { numberAt } from './json-path.js'

/** Turns whatever a request threw into a `backend-failed` of one line. */
export function requestError(cause: unknown, url: string): EnergyBenchError {
  if (isEnergyBenchError(cause)) return cause
  const status = numberAt(cause, 'status')
  if (status !== undefined) return httpError(status, cause, url)
  return new EnergyBenchError(
    'backend-failed',
    `The connection to ${url} broke in the middle of an answer: ${rootCause(cause)}.`,
    {
      fix: 'See whether the server is still alive and what its log says.',
      cause,
      isRetryable: true,
    },
  )
}

/** Makes the error for an answer that took too long. */
export function timeoutError(url: string, limitS: number): EnergyBenchError {
  return new EnergyBenchError('backend-failed', `${url} gave no whole answer within ${limitS} s.`, {
    fix: 'Set a larger requestTimeoutS, or a smaller maxOutputTokens.',
    isRetryable: true,
  })
}

function httpError(status: number, cause: unknown, url: string): EnergyBenchError {
  return new EnergyBenchError('backend-failed', `${url} answered HTTP ${messageOf(cause)}.`, {
    fix:
      status === 401 || status === 403 ? 'Set apiKey.' : 'Change the request as the message says.',
    cause,
    isRetryable: status === 429 || status >= 500,
  })
}

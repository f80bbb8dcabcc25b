import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'

/** Makes the error for a server that could not be spoken with at all. */
export function connectionError(url: string, cause: unknown): EnergyBenchError {
  const { fix, isLasting } = diagnosisOf(cause, url)
  return new EnergyBenchError(
    'backend-unavailable',
    `Nothing answers at ${url}: ${rootCause(cause)}.`,
    { fix, cause, isRetryable: !isLasting },
  )
}

/** `fetch failed` says nothing; the reason is in its cause. */
export function rootCause(error: unknown): string {
  const inner = error instanceof Error ? error.cause : undefined
  if (inner instanceof Error && inner.message !== '') return rootCause(inner)
  if (inner instanceof Error && 'code' in inner) return String(inner.code)
  return messageOf(error)
}

interface Diagnosis {
  readonly fix: string
  /** Waiting does not help. */
  readonly isLasting: boolean
}

function diagnosisOf(cause: unknown, url: string): Diagnosis {
  const codes = codesOf(cause)
  if (isProxyRefusal(cause)) {
    return {
      fix: 'A proxy that asks for a password (HTTP 407) looks like this: reach the server without it.',
      isLasting: true,
    }
  }
  if (codes.some((code) => /CERT|ISSUER/.test(code))) {
    return {
      fix: 'Let Node trust the certificate: set NODE_EXTRA_CA_CERTS to its file.',
      isLasting: true,
    }
  }
  if (codes.some((code) => /SSL|TLS/.test(code))) {
    return { fix: `Write ${url.replace(/^https:/, 'http:')}: no TLS is spoken.`, isLasting: true }
  }
  if (codes.some((code) => code.startsWith('HPE_'))) {
    return { fix: 'Correct baseUrl: what answers there does not speak HTTP.', isLasting: true }
  }
  if (codes.includes('ENOTFOUND')) {
    return { fix: 'Correct the host name in baseUrl.', isLasting: true }
  }
  return { fix: 'Start the server, or correct baseUrl.', isLasting: false }
}

/** fetch turns an answer with HTTP 407 into an error whose cause says nothing at all (undici of Node 20). */
function isProxyRefusal(error: unknown): boolean {
  const inner = error instanceof Error ? error.cause : undefined
  const isSilent = inner instanceof Error && inner.message === '' && !('code' in inner)
  return isSilent || /proxy authentication/i.test(rootCause(error))
}

/** Codes of an error and of all its causes. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  return [...own, ...codesOf(error.cause)]
}

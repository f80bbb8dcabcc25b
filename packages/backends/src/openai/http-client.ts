import { EnergyBenchError } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'

/** One answer of a server: its status and its body, parsed where it is JSON. */
export interface HttpAnswer {
  readonly status: number
  readonly body: unknown
}

/** Reads small JSON documents from one server. */
export interface HttpClient {
  readonly rootUrl: string
  get(path: string, signal?: AbortSignal): Promise<HttpAnswer>
}

/** How a client reaches its server. */
export interface HttpClientOptions {
  readonly fetch: typeof globalThis.fetch
  readonly apiKey: string | undefined
}

/** Makes a client. A server that cannot be reached rejects with `backend-unavailable`. */
export function createHttpClient(rootUrl: string, options: HttpClientOptions): HttpClient {
  const headers: Record<string, string> =
    options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }
  return {
    rootUrl,
    async get(path, signal) {
      try {
        const response = await options.fetch(`${rootUrl}${path}`, {
          headers,
          ...(signal === undefined ? {} : { signal }),
        })
        return { status: response.status, body: parseJson(await response.text()) }
      } catch (cause) {
        signal?.throwIfAborted()
        throw unreachable(rootUrl, cause)
      }
    },
  }
}

/** Makes the error for a server that does not answer at all. */
export function unreachable(url: string, cause: unknown): EnergyBenchError {
  return new EnergyBenchError(
    'backend-unavailable',
    `Nothing answers at ${url}: ${rootCause(cause)}.`,
    {
      fix: 'Start the server, or correct baseUrl.',
      cause,
      isRetryable: true,
    },
  )
}

/** `fetch failed` says nothing; the reason is in its cause. */
export function rootCause(error: unknown): string {
  const inner = error instanceof Error ? error.cause : undefined
  if (inner instanceof Error && inner.message !== '') return rootCause(inner)
  if (inner instanceof Error && 'code' in inner) return String(inner.code)
  return messageOf(error)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

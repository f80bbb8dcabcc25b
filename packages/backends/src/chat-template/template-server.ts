import { EnergyBenchError } from '@energy-bench/spec'
import { connectionError } from '../server/connection-error.js'
import { textAt } from '../server/json-path.js'
import { parseServerAddress } from '../server/server-address.js'

/** How to reach a llama-server. */
export interface TemplateServer {
  /** With or without `/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string
  readonly fetch?: typeof globalThis.fetch
  readonly signal?: AbortSignal
}

/** Gets one JSON document: with a body by POST, else by GET. Rejects with what the server said. */
export async function askServer(
  { baseUrl, apiKey, fetch = globalThis.fetch, signal }: TemplateServer,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { rootUrl } = parseServerAddress(baseUrl)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  try {
    const response = await fetch(`${rootUrl}${path}`, {
      ...request,
      headers,
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    throw refused(`${rootUrl}${path}`, response.status, text)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof EnergyBenchError) throw cause
    if (cause instanceof SyntaxError) throw notJson(`${rootUrl}${path}`, cause)
    throw connectionError(rootUrl, cause)
  }
}

function refused(url: string, status: number, text: string): EnergyBenchError {
  return new EnergyBenchError(
    'backend-failed',
    `${url} answers HTTP ${status}: ${messageIn(text)}`,
    {
      fix:
        status === 401 || status === 403
          ? 'Set apiKey.'
          : 'Use a llama-server that has a model with a chat template.',
      isRetryable: status === 429 || status === 503,
    },
  )
}

/** The message of an error that llama-server wrote, else the beginning of the text. */
function messageIn(text: string): string {
  try {
    return textAt(JSON.parse(text), 'error', 'message') ?? text.slice(0, 200)
  } catch {
    return text.slice(0, 200)
  }
}

function notJson(url: string, cause: unknown): EnergyBenchError {
  return new EnergyBenchError('backend-failed', `${url} does not answer with JSON.`, {
    fix: 'Check that baseUrl is a llama-server.',
    cause,
  })
}

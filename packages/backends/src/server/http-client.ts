import { EnergyBenchError, isEnergyBenchError } from '@energy-bench/spec'
import { createCheckedFetch, pageError } from './checked-fetch.js'
import { connectionError } from './connection-error.js'
import { parseJson } from './json-path.js'

/** One answer of a server: its status and its body, `undefined` where that is not JSON. */
export interface HttpAnswer {
  readonly status: number
  readonly body: unknown
}

/** Reads small documents from one server. */
export interface HttpClient {
  readonly rootUrl: string
  /** Whatever answers: for questions that not every server understands. */
  get(path: string, signal?: AbortSignal): Promise<HttpAnswer>
  /** A document that must be there. Any other answer than JSON rejects with a typed error. */
  read(path: string, signal?: AbortSignal): Promise<unknown>
  /** The same for a question that has a body. */
  post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>
}

/** How a client reaches its server. */
export interface HttpClientOptions {
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  /** Limit of one document, seconds. */
  readonly timeoutS: number
}

/** Makes a client. Rejects with `backend-unavailable` where nothing answers, with `backend-timeout` where it stalls. */
export function createHttpClient(rootUrl: string, options: HttpClientOptions): HttpClient {
  const { headers } = options
  async function request<Answer>(
    path: string,
    signal: AbortSignal | undefined,
    take: (fetch: typeof globalThis.fetch, init: RequestInit) => Promise<Answer>,
  ): Promise<Answer> {
    const limit = AbortSignal.timeout(options.timeoutS * 1000)
    const stop = AbortSignal.any(signal === undefined ? [limit] : [limit, signal])
    try {
      return await take(options.fetch, { headers, signal: stop })
    } catch (cause) {
      signal?.throwIfAborted()
      if (limit.aborted) throw stalled(`${rootUrl}${path}`, options.timeoutS)
      throw isEnergyBenchError(cause) ? cause : connectionError(rootUrl, cause)
    }
  }

  return {
    rootUrl,
    get: (path, signal) =>
      request(path, signal, async (fetch, init) => {
        const response = await fetch(`${rootUrl}${path}`, init)
        return { status: response.status, body: parseJson(await response.text()) }
      }),
    read: (path, signal) =>
      request(path, signal, (fetch, init) => readJson(fetch, `${rootUrl}${path}`, init)),
    post: (path, body, signal) =>
      request(path, signal, (fetch, init) =>
        readJson(fetch, `${rootUrl}${path}`, {
          ...init,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
  }
}

async function readJson(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<unknown> {
  const response = await createCheckedFetch(fetch)(url, init)
  const body = parseJson(await response.text())
  if (body === undefined) throw pageError(url)
  return body
}

function stalled(url: string, limitS: number): EnergyBenchError {
  return new EnergyBenchError('backend-timeout', `${url} gave no answer within ${limitS} s.`, {
    fix: 'See whether the server still works, or set a larger readyTimeoutS.',
  })
}

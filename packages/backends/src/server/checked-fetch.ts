import { EnergyBenchError } from '@energy-bench/spec'
import { connectionError } from './connection-error.js'
import { statusError } from './status-error.js'

/** A `fetch` whose every answer is a good one: anything else rejects with a typed error. */
export function createCheckedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const response = await fetch(input, init).catch((cause: unknown) => {
      init?.signal?.throwIfAborted()
      throw connectionError(new URL(url).origin, cause)
    })
    if (!response.ok) throw await statusError(response)
    if (isPage(response)) throw pageError(url)
    return response
  }
}

function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('text/html') ?? false
}

/** Makes the error for a web page in place of an answer. */
export function pageError(url: string): EnergyBenchError {
  return new EnergyBenchError(
    'backend-unavailable',
    `${url} answered with a page, not with JSON.`,
    {
      fix: 'Correct baseUrl: something else than the engine answers there.',
      isRetryable: false,
    },
  )
}

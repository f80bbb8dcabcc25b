import { hostname } from 'node:os'
import { monotonicS } from '../shared/monotonic.js'
import { describeRequest, pickHeaders } from './describe-request.js'
import { cookiesOf, hideBytes, hostNames, secretsOf } from './hide-secrets.js'
import { encodeBytes } from './recorded-bytes.js'
import type { RecordedExchange, Recording } from './recording-schema.js'

/** Those that only say how the bytes travelled are left out, and so is everything that may hold a secret. */
const headersOfInterest = ['content-type', 'retry-after', 'server', 'cache-control']

/** How to record. */
export interface RecordOptions {
  /** What really asks. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
  /** Clock, seconds. Default: the monotonic one of this process. */
  readonly now?: () => number
  /** Name of this machine, which is hidden in answers. Default: the one that it has. */
  readonly hostName?: string
}

/** Records what goes through its `fetch`. */
export interface ExchangeRecorder {
  /** For the option `fetch` of a backend. */
  readonly fetch: typeof globalThis.fetch
  /** Everything that was answered until now, in the order of the requests. */
  recording(about: Readonly<Record<string, string>>): Recording
}

/** An exchange that may still go on. */
interface Draft {
  readonly request: RecordedExchange['request']
  readonly response: Omit<RecordedExchange['response'], 'chunks' | 'isWhole'>
  readonly arrivals: { readonly offsetS: number; readonly bytes: Uint8Array }[]
  readonly secrets: readonly string[]
  isWhole: boolean
}

/**
 * Makes a recorder. Keys, tokens, cookies and host names do not come into the recording.
 *
 * @example
 * const recorder = recordExchanges()
 * await using model = await createLlamaServer({ baseUrl, fetch: recorder.fetch }).load({})
 */
export function recordExchanges(options: RecordOptions = {}): ExchangeRecorder {
  const { now = monotonicS, hostName = hostname() } = options
  const drafts: (Draft | undefined)[] = []
  return {
    async fetch(input, init) {
      const place = drafts.push(undefined) - 1
      const ask = options.fetch ?? globalThis.fetch
      const request = new Request(input, init)
      const described = await describeRequest(request)
      const startS = now()
      const secrets = [...secretsOf(request), ...hostNames(request.url, hostName)]
      const response = await ask(request)
      const draft = {
        request: described,
        response: {
          status: response.status,
          headers: pickHeaders(response.headers, headersOfInterest),
        },
        arrivals: [],
        secrets: [...secrets, ...cookiesOf(response)],
        isWhole: response.body === null,
      }
      drafts[place] = draft
      return listenTo(response, draft, () => now() - startS)
    },
    recording: (about) => ({
      format: 'energy-bench-exchanges',
      version: 1,
      about,
      exchanges: drafts.flatMap((draft) => (draft === undefined ? [] : [finished(draft)])),
    }),
  }
}

/** The same answer, whose bytes are kept while the client reads them. */
function listenTo(response: Response, draft: Draft, offsetS: () => number): Response {
  const listener = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      draft.arrivals.push({ offsetS: offsetS(), bytes: bytes.slice() })
      controller.enqueue(bytes)
    },
    flush() {
      draft.isWhole = true
    },
  })
  const { status, statusText, headers } = response
  const body = response.body?.pipeThrough(listener) ?? null
  const copy = new Response(body, { status, statusText, headers })
  // The constructor has no way to set it, and errors name it.
  return Object.defineProperty(copy, 'url', { value: response.url })
}

function finished({ request, response, arrivals, secrets, isWhole }: Draft): RecordedExchange {
  const pieces = arrivals.map(({ bytes }) => bytes)
  const chunks = hideBytes(pieces, secrets).map((bytes, index) => ({
    offsetS: roundToMicroseconds(arrivals[index]?.offsetS ?? 0),
    ...encodeBytes(bytes),
  }))
  return { request, response: { ...response, chunks, isWhole } }
}

function roundToMicroseconds(timeS: number): number {
  return Math.round(timeS * 1e6) / 1e6
}

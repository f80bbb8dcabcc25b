import { sleep } from '../shared/sleep.js'
import { describeRequest } from './describe-request.js'
import { createExchangeFinder, type Matching } from './find-exchange.js'
import { decodeBytes } from './recorded-bytes.js'
import type { RecordedExchange, Recording } from './recording-schema.js'

/** How to replay. */
export interface ReplayOptions {
  /** Default `exact`. */
  readonly matching?: Matching
  /** Lets every chunk come when it came, in place of at once. Default false. */
  readonly isPaced?: boolean
}

/**
 * Makes a `fetch` that answers from a recording. A request that is not in it rejects with `record-invalid`.
 *
 * @example
 * createLlamaServer({ baseUrl: 'http://127.0.0.1', fetch: createReplayFetch(recording) })
 */
export function createReplayFetch(
  recording: Recording,
  { matching = 'exact', isPaced = false }: ReplayOptions = {},
): typeof globalThis.fetch {
  const find = createExchangeFinder(recording, matching)
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { response } = find(await describeRequest(request))
    const { status, headers } = response
    return new Response(bodyOf(response, request.signal, isPaced), { status, headers })
  }
}

/** An answer of which no byte came and none is missing has no body: some statuses allow none. */
function bodyOf(
  response: RecordedExchange['response'],
  signal: AbortSignal,
  isPaced: boolean,
): ReadableStream<Uint8Array> | null {
  if (response.isWhole && response.chunks.length === 0) return null
  const chunks = replayChunks(response, signal, isPaced)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) return controller.close()
      controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

/** The chunks as they came. Where the recorded answer broke off, so does this one. */
async function* replayChunks(
  { chunks, isWhole }: RecordedExchange['response'],
  signal: AbortSignal,
  isPaced: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  let passedS = 0
  for (const chunk of chunks) {
    signal.throwIfAborted()
    if (isPaced) await sleep(chunk.offsetS - passedS, signal)
    passedS = chunk.offsetS
    yield decodeBytes(chunk)
  }
  if (!isWhole) throw new TypeError('terminated')
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createReplayFetch,
  parseRecording,
  recordExchanges,
  serveRecording,
  stringifyRecording,
} from '../../src/recording/index.js'

/** What a server is made to answer. */
interface Planned {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly body: string
  readonly status: number
  readonly chunks: readonly Uint8Array[]
}

const chunk = fc.uint8Array({ minLength: 1, maxLength: 40 })
const letters = fc.stringMatching(/^[a-z0-9]{1,6}$/)
const planned: fc.Arbitrary<Planned> = fc.record({
  path: letters.map((name) => `/${name}`),
  method: fc.constantFrom('GET', 'POST'),
  body: fc.oneof(fc.string(), fc.json()),
  status: fc.constantFrom(200, 400, 404, 500, 503),
  chunks: fc.oneof(
    fc.array(chunk, { maxLength: 8 }),
    // Text that is cut anywhere, also inside a character.
    fc.string({ unit: 'grapheme' }).map((text) => {
      const bytes = new TextEncoder().encode(text)
      return [bytes.slice(0, 5), bytes.slice(5)].filter(({ length }) => length > 0)
    }),
  ),
})

function answerOf({ chunks, status }: Planned): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const bytes of chunks) controller.enqueue(bytes)
      controller.close()
    },
  })
  return new Response(body, { status, headers: { 'content-type': 'text/event-stream' } })
}

function ask(
  fetch: typeof globalThis.fetch,
  { path, method, body }: Planned,
  root = 'http://127.0.0.1:1',
): Promise<Response> {
  return fetch(`${root}${path}`, { method, ...(method === 'POST' ? { body } : {}) })
}

async function chunksOf(response: Response): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for await (const bytes of response.body ?? []) chunks.push(new Uint8Array(bytes))
  return chunks
}

/** Records the exchanges and gives what a file of them would hold. */
async function throughFile(exchanges: readonly Planned[]) {
  let next = 0
  const recorder = recordExchanges({
    fetch: async () => answerOf(exchanges[next++] as Planned),
    hostName: 'machine.test',
  })
  for (const exchange of exchanges) await (await ask(recorder.fetch, exchange)).arrayBuffer()
  return parseRecording(stringifyRecording(recorder.recording({ engine: 'none' })))
}

test('whatever was answered is answered again, byte for byte and chunk for chunk', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { maxLength: 6 }), async (exchanges) => {
      const replay = createReplayFetch(await throughFile(exchanges))
      for (const exchange of exchanges) {
        const response = await ask(replay, exchange)
        expect(response.status).toBe(exchange.status)
        expect(response.headers.get('content-type')).toBe('text/event-stream')
        expect(await chunksOf(response)).toEqual(exchange.chunks)
      }
    }),
    { numRuns: 200 },
  )
})

test('a server of the recording gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { maxLength: 6 }), async (exchanges) => {
      await using server = await serveRecording(await throughFile(exchanges))
      for (const exchange of exchanges) {
        const response = await ask(fetch, exchange, server.url)
        expect(response.status).toBe(exchange.status)
        expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat(exchange.chunks))
      }
    }),
    { numRuns: 30 },
  )
})

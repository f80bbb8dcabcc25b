import { loadavg } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createOpenAI } from '@energy-bench/backends/openai'
import type { LoadedModel } from '@energy-bench/spec'
import { quantile } from '@energy-bench/stats'
import type { BenchmarkResult } from './benchmark.js'
import { startChunkServer } from './chunk-server.js'

const limits = { requestMs: 1, chunkUs: 20, lostOfThousandStreams: 0, heapGrowthMegabytes: 5 }
const names = ['requestMs', 'chunkUs', 'lostOfThousandStreams', 'heapGrowthMegabytes'] as const
const longChunks = 1000
const rounds = { one: 300, long: 40 }
const streamsAtOnce = 1000
const memoryRequests = 100_000

/** What the client of servers adds to a bare `fetch` loop in the same process, in turns; streams at once; memory. */
export async function run(): Promise<BenchmarkResult> {
  await using server = await startChunkServer()
  await using model = await createOpenAI({ baseUrl: server.url }).load({})
  const { url } = server
  const one = await addedMs({ model, url, chunks: 1, rounds: rounds.one })
  const long = await addedMs({ model, url, chunks: longChunks, rounds: rounds.long })
  const figures = {
    requestMs: one.addedMs,
    chunkUs: ((long.addedMs - one.addedMs) * 1000) / longChunks,
    lostOfThousandStreams: await lostStreams(model),
    heapGrowthMegabytes: (await heapGrowthBytes(model)) / 1e6,
  }
  return {
    name: 'client-overhead',
    figures: {
      ...figures,
      bareRequestMs: one.bareMs,
      bareLongRequestMs: long.bareMs,
      loadAverage: loadavg()[0] ?? 0,
    },
    targets: Object.fromEntries(names.map((name) => [name, `<= ${limits[name]}`])),
    met: names.every((name) => figures[name] <= limits[name]),
    notes: [
      `medians of the differences over ${rounds.one} requests and ${rounds.long} of ${longChunks} chunks`,
      `the heap over ${memoryRequests} requests, after a collection`,
    ],
  }
}

interface Comparison {
  readonly model: LoadedModel
  readonly url: string
  readonly chunks: number
  readonly rounds: number
}

/** Median of what one answer takes longer through the client, milliseconds. */
async function addedMs({ model, url, chunks, rounds }: Comparison) {
  const bare: number[] = []
  const added: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const bareMs = await timed(() => askBare(url, chunks))
    const oursMs = await timed(() => ask(model, chunks))
    // The first rounds warm up the compiler and the connections.
    if (round < rounds / 10) continue
    bare.push(bareMs)
    added.push(oursMs - bareMs)
  }
  return { bareMs: quantile(bare, 0.5), addedMs: quantile(added, 0.5) }
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await action()
  return performance.now() - startMs
}

async function lostStreams(model: LoadedModel): Promise<number> {
  const chunks = 50
  const counts = await Promise.all(
    Array.from({ length: streamsAtOnce }, () => ask(model, chunks).catch(() => 0)),
  )
  return counts.filter((count) => count !== chunks).length
}

/** Growth of the heap after the first tenth, bytes, each time after a collection: garbage is not growth. */
async function heapGrowthBytes(model: LoadedModel): Promise<number> {
  const parallel = 20
  const askMany = async (count: number) => {
    for (let done = 0; done < count; done += parallel) {
      await Promise.all(Array.from({ length: parallel }, () => ask(model, 1)))
    }
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await askMany(memoryRequests / 10)
  return (await askMany((memoryRequests * 9) / 10)) - before
}

/** Asks V8 for its collector, so that no flag need be given to Node. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Pieces of text that came. */
async function ask(model: LoadedModel, chunks: number): Promise<number> {
  const messages = [{ role: 'user' as const, content: String(chunks) }]
  let pieces = 0
  for await (const event of model.generate({ messages, maxOutputTokens: chunks })) {
    if (event.type === 'text-delta') pieces += 1
  }
  return pieces
}

/** The least that reads the same answer: no checks, no events, no time limit. */
async function askBare(url: string, chunks: number): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tiny', max_tokens: chunks, stream: true }),
  })
  const decoder = new TextDecoder()
  let rest = ''
  let pieces = 0
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    pieces += events.filter(hasText).length
  }
  return pieces
}

function hasText(event: string): boolean {
  if (event === 'data: [DONE]') return false
  return JSON.parse(event.slice('data: '.length)).choices[0]?.delta.content !== undefined
}

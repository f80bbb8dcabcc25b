import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseRecording, type RecordedBytes } from '../../src/recording/index.js'

/** One recorded exchange with a real llama-server, as tests look at it. */
export interface Exchange {
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly sse?: string
  }
}

/** Reads a fixture that `npm run record:exchanges` wrote. */
export function exchange(name: string): Exchange {
  const url = new URL(`../fixtures/llama-server/${name}.json`, import.meta.url)
  const [recorded] = parseRecording(readFileSync(url, 'utf8')).exchanges
  if (recorded === undefined) throw new Error(`the fixture ${name} has no exchange`)
  const { status, headers, chunks } = recorded.response
  const text = chunks.map(textOf).join('')
  const isStream = headers['content-type'] === 'text/event-stream'
  const content = isStream ? { sse: text } : { body: JSON.parse(text) }
  return { response: { status, headers, ...content } }
}

function textOf(bytes: RecordedBytes): string {
  if ('text' in bytes) return bytes.text
  throw new Error('a fixture ends a chunk inside a character')
}

/** Weights of the reference model, which its own package ships. */
export const referenceModelPath = fileURLToPath(
  new URL('../../../reference-model/weights/reference-q4_0.gguf', import.meta.url),
)

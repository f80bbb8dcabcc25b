import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One recorded exchange with a real llama-server. */
export interface Exchange {
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly sse?: string
  }
}

export function exchange(name: string): Exchange {
  const url = new URL(`../fixtures/llama-server/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'))
}

/** Weights of the reference model, which its own package ships. */
export const referenceModelPath = fileURLToPath(
  new URL('../../../reference-model/weights/reference-q4_0.gguf', import.meta.url),
)

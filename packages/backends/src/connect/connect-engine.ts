import type { Backend } from '@energy-bench/spec'
import type { EngineKind } from '../detect/detected-engine.js'
import { lookAt } from '../detect/look-at.js'
import { createLlamaServer } from '../llama-server/index.js'
import { createLmStudio } from '../lm-studio/index.js'
import { createMlx } from '../mlx/index.js'
import { createOllama } from '../ollama/index.js'
import { createOpenAI } from '../openai/index.js'
import { parseServerAddress } from '../server/server-address.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { createSglang } from '../sglang/index.js'
import { createTgi } from '../tgi/index.js'
import { createTransformersServe } from '../transformers-serve/index.js'
import { createVllm } from '../vllm/index.js'

/** Which server, and how to use it. */
export interface ConnectEngineOptions extends ServerOptions, PromptCacheOptions {
  /** Seconds for finding out what answers. Default 5. */
  readonly detectTimeoutS?: number
  readonly signal?: AbortSignal
}

const makers: Partial<Record<EngineKind, (options: ConnectEngineOptions) => Backend>> = {
  'llama-server': createLlamaServer,
  ollama: createOllama,
  'lm-studio': createLmStudio,
  vllm: createVllm,
  sglang: createSglang,
  tgi: createTgi,
  'mlx-lm': createMlx,
  'transformers-serve': createTransformersServe,
}

/**
 * Looks which engine answers at an address and makes the backend that knows it best; `createOpenAI` for one that is not
 * known, and for an address where nobody answers yet, so that `load` waits for it or says what is wrong with it. Rejects
 * with `usage-invalid` for what is no URL, and with the reason of `signal`.
 *
 * @example
 * await using backend = await connectEngine({ baseUrl: 'http://127.0.0.1:11434' })
 * await using model = await backend.load({ id: 'qwen3:8b' })
 */
export async function connectEngine(options: ConnectEngineOptions): Promise<Backend> {
  options.signal?.throwIfAborted()
  const { rootUrl } = parseServerAddress(options.baseUrl)
  const { detectTimeoutS = 5, ...rest } = options
  const engine = await lookAt(rootUrl, { ...rest, timeoutS: detectTimeoutS })
  options.signal?.throwIfAborted()
  const create = makers[engine?.kind ?? 'openai'] ?? createOpenAI
  return create(options)
}

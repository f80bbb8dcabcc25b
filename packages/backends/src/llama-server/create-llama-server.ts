import { type Backend, type BackendSupports, EnergyBenchError } from '@energy-bench/spec'
import { createChatEngine } from '../server/chat-completions.js'
import { createServerBackend } from '../server/create-server-backend.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { isLlamaServer, llamaServerProfile } from './llama-server-profile.js'

/** Which llama-server, and how to use it. */
export interface LlamaServerOptions extends ServerOptions, PromptCacheOptions {}

const supports: BackendSupports = { seed: true, concurrency: true, thinking: true }

/**
 * Makes a backend for llama.cpp's own server. Anything else at the address is refused.
 *
 * @example
 * await using model = await createLlamaServer({ baseUrl: 'http://127.0.0.1:8080' }).load({})
 */
export function createLlamaServer(options: LlamaServerOptions): Backend {
  const engine = createChatEngine({
    id: 'llama-server',
    supports,
    async findProfile(server, served) {
      const props = await server.http.read('/props')
      if (!isLlamaServer(props)) throw notLlamaServer(server.address.rootUrl)
      return llamaServerProfile({ server, served, props }, options)
    },
  })
  return createServerBackend(engine, options)
}

function notLlamaServer(url: string): EnergyBenchError {
  return new EnergyBenchError(
    'backend-unavailable',
    `${url}/props is not that of a llama-server.`,
    {
      fix: 'Correct baseUrl, or use createOpenAI for another server.',
      isRetryable: false,
    },
  )
}

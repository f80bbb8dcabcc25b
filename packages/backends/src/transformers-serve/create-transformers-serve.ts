import type { Backend } from '@energy-bench/spec'
import { createChatEngine } from '../server/chat-completions.js'
import { createServerBackend } from '../server/create-server-backend.js'
import { localProcess } from '../server/local-facts.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { bareInfo } from '../server/server-profile.js'

/** Which `transformers serve`, and how to use it. */
export interface TransformersServeOptions extends ServerOptions, PromptCacheOptions {}

/**
 * Makes a backend for `transformers serve`, which answers HTTP 422 to any field that it does not know: nothing beyond
 * model, messages, limit, temperature, seed and stop words is sent.
 *
 * @example
 * const backend = createTransformersServe({ baseUrl: 'http://127.0.0.1:8000' })
 */
export function createTransformersServe(options: TransformersServeOptions): Backend {
  const { cachePrompt = false } = options
  const engine = createChatEngine({
    id: 'transformers-serve',
    supports: { seed: cachePrompt, concurrency: true, thinking: false },
    findProfile: async ({ address }, { id }) => ({
      canThink: false,
      hasUniquePrefix: !cachePrompt,
      // The usage comes without being asked for, on the last chunk.
      extraFields: () => ({ stream_options: undefined }),
      info: {
        ...bareInfo('transformers serve', id, 'transformers serve does not tell it'),
        processId: await localProcess(address),
        promptCache: cachePrompt ? 'on' : 'off',
        settings: {
          baseUrl: address.rootUrl,
          ...(cachePrompt ? {} : { cacheAvoidance: 'unique prefix' }),
        },
      },
    }),
  })
  return createServerBackend(engine, options)
}

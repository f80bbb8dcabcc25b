import { type Backend, unknown } from '@energy-bench/spec'
import { createChatEngine } from '../server/chat-completions.js'
import {
  createServerBackend,
  type Server,
  type WantedModel,
} from '../server/create-server-backend.js'
import { textAt } from '../server/json-path.js'
import { localProcess } from '../server/local-facts.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { bareInfo, type ServerProfile } from '../server/server-profile.js'
import { templateThinking } from '../server/thinking-fields.js'

/** Which mlx_lm.server, and how to use it. */
export interface MlxOptions extends ServerOptions, PromptCacheOptions {}

/** Sent on every request: what is left out comes from the flags of the server. */
const sampling = { top_p: 1, top_k: 0, min_p: 0 }

/**
 * Makes a backend for `mlx_lm.server`. Only models of its local cache can be loaded: any other name would be downloaded.
 * A request with a seed is not batched with others.
 *
 * @example
 * await using model = await createMlx({ baseUrl: 'http://127.0.0.1:8080' }).load({ id: 'mlx-community/Qwen3-8B-4bit' })
 */
export function createMlx(options: MlxOptions): Backend {
  const { cachePrompt = false } = options
  const engine = createChatEngine({
    id: 'mlx',
    supports: { seed: cachePrompt, concurrency: true, thinking: true },
    findProfile: async (server, served, wanted) => ({
      canThink: true,
      hasUniquePrefix: !cachePrompt,
      extraFields: (request) => ({ ...sampling, ...templateThinking(request) }),
      info: await describe(server, { ...wanted, id: served.id }, cachePrompt),
    }),
  })
  return createServerBackend(engine, options)
}

async function describe(
  server: Server,
  { id, signal }: WantedModel & { readonly id: string },
  cachePrompt: boolean,
): Promise<ServerProfile['info']> {
  // One token loads the model, and the answer alone names the versions and the GPU.
  const messages = [{ role: 'user', content: 'Hi' }]
  const body = { model: id, messages, max_tokens: 1 }
  const answer = await server.http.post('/v1/chat/completions', body, signal)
  return {
    ...bareInfo('mlx_lm.server', id, 'mlx_lm.server does not tell it over HTTP'),
    engineVersion:
      textAt(answer, 'system_fingerprint') ?? unknown('the answer has no system_fingerprint'),
    processId: await localProcess(server.address),
    promptCache: cachePrompt ? 'on' : 'off',
    samplingApplied: sampling,
    settings: {
      baseUrl: server.address.rootUrl,
      ...(cachePrompt ? {} : { cacheAvoidance: 'unique prefix' }),
    },
  }
}

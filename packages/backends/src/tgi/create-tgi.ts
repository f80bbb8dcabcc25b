import { type Backend, unknown } from '@energy-bench/spec'
import { createChatEngine } from '../server/chat-completions.js'
import { createServerBackend, type Server } from '../server/create-server-backend.js'
import { numberAt, textAt } from '../server/json-path.js'
import type { ServedModel } from '../server/served-model.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { bareInfo, type ServerProfile } from '../server/server-profile.js'

/** Which TGI, and how to use it. */
export interface TgiOptions extends ServerOptions, PromptCacheOptions {}

/**
 * Makes a backend for Hugging Face's text-generation-inference.
 *
 * @example
 * await using model = await createTgi({ baseUrl: 'http://127.0.0.1:8080' }).load({})
 */
export function createTgi(options: TgiOptions): Backend {
  const { cachePrompt = false } = options
  const engine = createChatEngine({
    id: 'tgi',
    supports: { seed: cachePrompt, concurrency: true, thinking: false },
    findProfile: (server, served) => findProfile(server, served, cachePrompt),
  })
  return createServerBackend(engine, options)
}

async function findProfile(
  { address, http }: Server,
  { id }: ServedModel,
  cachePrompt: boolean,
): Promise<ServerProfile> {
  const info = await http.read('/info')
  const revision = textAt(info, 'model_sha')
  const dtype = textAt(info, 'model_dtype')
  return {
    canThink: false,
    hasUniquePrefix: !cachePrompt,
    // TGI refuses a temperature of 0; left out, it decodes greedily.
    extraFields: ({ temperature = 0 }) => (temperature === 0 ? { temperature: undefined } : {}),
    info: {
      ...bareInfo('TGI', textAt(info, 'model_id') ?? id, 'TGI does not tell it over HTTP'),
      engineVersion: textAt(info, 'version') ?? unknown('/info has no version'),
      contextTokens: numberAt(info, 'max_total_tokens') ?? unknown('/info has no max_total_tokens'),
      processId: unknown('TGI works in other processes than the one that listens'),
      promptCache: cachePrompt ? 'on' : 'off',
      settings: {
        baseUrl: address.rootUrl,
        ...(revision === undefined ? {} : { modelRevision: revision }),
        ...(dtype === undefined ? {} : { dtype }),
        ...(cachePrompt ? {} : { cacheAvoidance: 'unique prefix' }),
      },
    },
  }
}

import { randomUUID } from 'node:crypto'
import { type Backend, type EngineTimings, unknown } from '@energy-bench/spec'
import { createChatEngine } from '../server/chat-completions.js'
import { createServerBackend, type Server } from '../server/create-server-backend.js'
import { numberAt, textAt } from '../server/json-path.js'
import type { ServedModel } from '../server/served-model.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { bareInfo, type ServerProfile } from '../server/server-profile.js'
import { templateThinking } from '../server/thinking-fields.js'

/** Which vLLM, and how to use it. */
export interface VllmOptions extends ServerOptions, PromptCacheOptions {}

/** Sent on every request: vLLM takes what is left out from the generation_config.json of the model. */
const sampling = { top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 }

/**
 * Makes a backend for `vllm serve`. Start that with `--enable-prompt-tokens-details` and
 * `--enable-per-request-metrics`, or cached tokens and times stay unknown.
 *
 * @example
 * await using model = await createVllm({ baseUrl: 'http://127.0.0.1:8000' }).load({})
 */
export function createVllm(options: VllmOptions): Backend {
  const engine = createChatEngine({
    id: 'vllm',
    supports: { seed: true, concurrency: true, thinking: true },
    findProfile: (server, served) => findProfile(server, served, options.cachePrompt ?? false),
  })
  return createServerBackend(engine, options)
}

async function findProfile(
  { address, http }: Server,
  { id, entry }: ServedModel,
  cachePrompt: boolean,
): Promise<ServerProfile> {
  const version = textAt(await http.read('/version'), 'version')
  const root = textAt(entry, 'root')
  return {
    // Whether the template of the model has a switch is not told; it is asked in any case.
    canThink: true,
    extraFields: (request) => ({
      ...sampling,
      // A salt of its own keeps the blocks of a prompt apart from those of all others.
      ...(cachePrompt ? {} : { cache_salt: randomUUID() }),
      ...templateThinking(request),
    }),
    timingsOf: (field) => timingsOf(field('metrics')),
    info: {
      ...bareInfo('vLLM', id, 'vLLM does not tell it over HTTP'),
      engineVersion: version ?? unknown('/version has no version'),
      contextTokens: numberAt(entry, 'max_model_len') ?? unknown('/v1/models has no max_model_len'),
      processId: unknown('vLLM works in other processes than the one that listens'),
      promptCache: cachePrompt ? 'on' : 'off',
      samplingApplied: sampling,
      settings: {
        baseUrl: address.rootUrl,
        ...(root === undefined ? {} : { root }),
        ...(cachePrompt ? {} : { cacheAvoidance: 'cache_salt' }),
      },
    },
  }
}

/** Milliseconds, given with `--enable-per-request-metrics`. The time to the first token contains the queue. */
function timingsOf(metrics: unknown): EngineTimings | undefined {
  if (metrics === undefined) return undefined
  const queueMs = numberAt(metrics, 'queue_time_ms')
  const firstMs = numberAt(metrics, 'time_to_first_token_ms')
  const isKnown = queueMs !== undefined && firstMs !== undefined
  return {
    prefillS: isKnown ? (firstMs - queueMs) / 1000 : null,
    decodeS: secondsOf(numberAt(metrics, 'generation_time_ms')),
    loadS: null,
    queueS: secondsOf(queueMs),
  }
}

function secondsOf(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : milliseconds / 1000
}

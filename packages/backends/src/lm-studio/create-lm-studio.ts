import type { Backend, GenerateRequest } from '@energy-bench/spec'
import { createChatEngine } from '../server/chat-completions.js'
import { createServerBackend } from '../server/create-server-backend.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { describeModel } from './describe-model.js'
import { findLoadedModel } from './find-loaded-model.js'

/** Which LM Studio, and how to use it. */
export interface LmStudioOptions extends Partial<ServerOptions>, PromptCacheOptions {}

const defaultUrl = 'http://127.0.0.1:1234'

/** Loading a large model from a disk takes minutes. */
const defaultReadyTimeoutS = 300

/**
 * Makes a backend for LM Studio, 0.4 or later: its own API tells what runs, its OpenAI API answers. It loads models that
 * are on the disk and never downloads one.
 *
 * @example
 * await using model = await createLmStudio().load({ id: 'qwen/qwen3-8b' })
 */
export function createLmStudio(options: LmStudioOptions = {}): Backend {
  const { cachePrompt = false } = options
  const engine = createChatEngine({
    id: 'lm-studio',
    supports: { seed: cachePrompt, concurrency: true, thinking: true },
    async findProfile(server, served, wanted) {
      const loaded = await findLoadedModel(server, served.id, wanted)
      return {
        canThink: loaded.canThink,
        hasUniquePrefix: !cachePrompt,
        extraFields: loaded.canThink ? reasoningEffort : () => ({}),
        info: describeModel(server, loaded, cachePrompt),
      }
    },
  })
  const defaults = { baseUrl: defaultUrl, readyTimeoutS: defaultReadyTimeoutS }
  return createServerBackend(engine, { ...defaults, ...options })
}

const efforts = { off: 'none', on: 'medium', low: 'low', medium: 'medium', high: 'high' } as const

function reasoningEffort({ thinking }: GenerateRequest): Readonly<Record<string, unknown>> {
  return thinking === undefined ? {} : { reasoning_effort: efforts[thinking] }
}

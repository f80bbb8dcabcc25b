import { randomUUID } from 'node:crypto'
import { type Backend, type Fact, unknown } from '@energy-bench/spec'
import { createChatEngine } from '../server/chat-completions.js'
import { createServerBackend, type Server } from '../server/create-server-backend.js'
import { numberAt, textAt } from '../server/json-path.js'
import type { ServedModel } from '../server/served-model.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { bareInfo, type ServerProfile } from '../server/server-profile.js'
import { templateThinking } from '../server/thinking-fields.js'

/** Which SGLang, and how to use it. */
export interface SglangOptions extends ServerOptions, PromptCacheOptions {}

/** Sent on every request: what is left out may come from `--preferred-sampling-params`. */
const sampling = { top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 }

/**
 * Makes a backend for an SGLang server. Start that with `--enable-cache-report`, or cached tokens stay unknown.
 *
 * @example
 * await using model = await createSglang({ baseUrl: 'http://127.0.0.1:30000' }).load({})
 */
export function createSglang(options: SglangOptions): Backend {
  const engine = createChatEngine({
    id: 'sglang',
    supports: { seed: true, concurrency: true, thinking: true },
    findProfile: (server, served) => findProfile(server, served, options.cachePrompt ?? false),
  })
  return createServerBackend(engine, options)
}

async function findProfile(
  server: Server,
  { id, entry }: ServedModel,
  cachePrompt: boolean,
): Promise<ServerProfile> {
  const info = await newOrOld(server, 'server_info')
  const model = await newOrOld(server, 'model_info')
  const contextTokens = numberAt(info, 'context_length') ?? numberAt(entry, 'max_model_len')
  return {
    canThink: true,
    extraFields: (request) => ({
      ...sampling,
      ...(cachePrompt ? {} : { cache_salt: randomUUID() }),
      ...templateThinking(request),
    }),
    info: {
      ...bareInfo('SGLang', id, 'SGLang does not tell it over HTTP'),
      engineVersion: factAt(info, 'version'),
      quantization: factAt(info, 'quantization'),
      contextTokens: contextTokens ?? unknown('/server_info has no context_length'),
      processId: unknown('SGLang works in other processes than the one that listens'),
      promptCache: cachePrompt ? 'on' : 'off',
      samplingApplied: sampling,
      settings: {
        baseUrl: server.address.rootUrl,
        ...weightVersionOf(model),
        ...(cachePrompt ? {} : { cacheAvoidance: 'cache_salt' }),
      },
    },
  }
}

/** The routes had `get_` before their names. */
async function newOrOld({ http }: Server, name: string): Promise<unknown> {
  const { status, body } = await http.get(`/${name}`)
  return status === 200 ? body : http.read(`/get_${name}`)
}

function factAt(info: unknown, name: string): Fact<string> {
  return textAt(info, name) ?? unknown(`/server_info has no ${name}`)
}

function weightVersionOf(model: unknown): Readonly<Record<string, string>> {
  const weightVersion = textAt(model, 'weight_version')
  return weightVersion === undefined ? {} : { weightVersion }
}

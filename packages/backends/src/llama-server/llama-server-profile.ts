import {
  type BackendInfo,
  type EngineTimings,
  type Fact,
  type SamplingSettings,
  unknown,
} from '@energy-bench/spec'
import type { Server } from '../server/create-server-backend.js'
import { at, numberAt, textAt } from '../server/json-path.js'
import { hashLocalFile, localProcess } from '../server/local-facts.js'
import type { ServedModel } from '../server/served-model.js'
import type { PromptCacheOptions } from '../server/server-options.js'
import type { ServerProfile } from '../server/server-profile.js'
import { hashText } from '../shared/hash-text.js'
import { quantizationOfLabel } from '../shared/quantization-name.js'
import { thinkingVariables } from '../shared/thinking-variables.js'

/** True for the `/props` of a llama-server, which nothing else has in this form. */
export function isLlamaServer(props: unknown): boolean {
  return textAt(props, 'build_info') !== undefined && numberAt(props, 'total_slots') !== undefined
}

/** A server that was recognised by its `/props`. */
export interface FoundServer {
  readonly server: Server
  readonly served: ServedModel
  readonly props: unknown
}

/** Profile of llama.cpp's own server, from its `/props`, `/v1/models` and `/slots`. */
export async function llamaServerProfile(
  { server, served, props }: FoundServer,
  { cachePrompt = false }: PromptCacheOptions = {},
): Promise<ServerProfile> {
  const template = textAt(props, 'chat_template')
  return {
    canThink: /enable_thinking|reasoning_effort/.test(template ?? ''),
    extraFields: ({ thinking }) => ({
      cache_prompt: cachePrompt,
      ...(thinking === undefined ? {} : { chat_template_kwargs: thinkingVariables(thinking) }),
    }),
    closesAfterStream: true,
    timingsOf: (field) => timingsOf(field('timings')),
    info: {
      ...(await placeOf(server, props)),
      engine: 'llama-server',
      engineVersion: textAt(props, 'build_info') ?? unknown('/props has no build_info'),
      model: served.id,
      quantization: quantizationOf(props, served),
      ...(await limitsOf(server, props)),
      promptCache: cachePrompt ? 'on' : 'off',
      chatTemplateDigest:
        template === undefined ? unknown('/props has no chat_template') : hashText(template),
      samplingApplied: samplingOf(at(props, 'default_generation_settings', 'params')),
      settings: { baseUrl: server.address.rootUrl, cachePrompt },
    },
  }
}

/** Milliseconds, over the tokens that were not cached. */
function timingsOf(timings: unknown): EngineTimings | undefined {
  if (timings === undefined) return undefined
  return {
    prefillS: secondsAt(timings, 'prompt_ms'),
    decodeS: secondsAt(timings, 'predicted_ms'),
    loadS: null,
    queueS: null,
  }
}

function secondsAt(timings: unknown, key: string): number | null {
  const milliseconds = numberAt(timings, key)
  return milliseconds === undefined ? null : milliseconds / 1000
}

function quantizationOf(props: unknown, served: ServedModel): Fact<string> {
  const label = textAt(props, 'model_ftype') ?? textAt(served.entry, 'meta', 'ftype')
  return label === undefined
    ? unknown('this llama-server is too old to tell')
    : quantizationOfLabel(label)
}

async function placeOf({ address }: Server, props: unknown) {
  const path = textAt(props, 'model_path')
  return {
    modelDigest:
      path === undefined ? unknown('/props has no model_path') : await hashLocalFile(path, address),
    threads: unknown('llama-server does not tell its threads'),
    gpuLayers: unknown('llama-server tells its GPU layers only in its log'),
    deviceUuids: unknown('llama-server does not tell its devices'),
    processId: await localProcess(address),
  } satisfies Partial<BackendInfo>
}

/** Context of one slot, from `/slots` where `/props` has none. */
async function limitsOf(
  { http }: Server,
  props: unknown,
): Promise<Pick<BackendInfo, 'contextTokens' | 'slots'>> {
  const contextTokens = numberAt(props, 'default_generation_settings', 'n_ctx')
  const { body } = contextTokens === undefined ? await http.get('/slots') : { body: undefined }
  return {
    contextTokens:
      contextTokens ?? numberAt(body, 0, 'n_ctx') ?? unknown('neither /props nor /slots has n_ctx'),
    slots: numberAt(props, 'total_slots') ?? unknown('/props has no total_slots'),
  }
}

const samplingNames = [
  'top_k',
  'top_p',
  'min_p',
  'typical_p',
  'repeat_penalty',
  'presence_penalty',
  'frequency_penalty',
] as const

/** Temperature and seed are left out: every request sets them. */
function samplingOf(params: unknown): Fact<SamplingSettings> {
  if (params === undefined) return unknown('/props has no default_generation_settings.params')
  const values = samplingNames.flatMap((name) => {
    const value = numberAt(params, name)
    // The server keeps 32-bit numbers: 0.95 comes as 0.949999988079071.
    return value === undefined ? [] : [[name, Number(value.toPrecision(6))] as const]
  })
  return Object.fromEntries(values)
}

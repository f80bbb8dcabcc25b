import { type Fact, type GenerateRequest, type Thinking, unknown } from '@energy-bench/spec'
import { messageOf } from '../shared/backend-errors.js'
import { hashFile } from '../shared/hash-file.js'
import { quantizationOfLabel } from '../shared/quantization-name.js'
import { numberAt, textAt } from './json-path.js'
import { findListeningProcess } from './listening-process.js'
import type { ServedModel } from './served-model.js'
import type { ServerAddress } from './server-address.js'
import type { ServerProfile } from './server-profile.js'

/** True for the `/props` of a llama-server, which nothing else has in this form. */
export function isLlamaServer(props: unknown): boolean {
  return textAt(props, 'build_info') !== undefined && numberAt(props, 'total_slots') !== undefined
}

/** Profile of llama.cpp's own server, from its `/props` and `/v1/models`. */
export async function llamaServerProfile(
  props: unknown,
  served: ServedModel,
  address: ServerAddress,
): Promise<ServerProfile> {
  const canThink = /enable_thinking|reasoning_effort/.test(textAt(props, 'chat_template') ?? '')
  return {
    canThink,
    extraFields,
    info: {
      engine: 'llama-server',
      engineVersion: textAt(props, 'build_info') ?? unknown('/props has no build_info'),
      model: served.id,
      modelDigest: await digestOf(textAt(props, 'model_path'), address),
      quantization: quantizationOf(props, served),
      contextTokens:
        numberAt(props, 'default_generation_settings', 'n_ctx') ?? unknown('/props has no n_ctx'),
      slots: numberAt(props, 'total_slots') ?? unknown('/props has no total_slots'),
      threads: unknown('llama-server does not tell its threads'),
      gpuLayers: unknown('llama-server tells its GPU layers only in its log'),
      deviceUuids: unknown('llama-server does not tell its devices'),
      processId: await processOf(address),
      promptCache: 'off',
      settings: { baseUrl: address.rootUrl, cachePrompt: false },
    },
  }
}

function extraFields({ thinking }: GenerateRequest): Readonly<Record<string, unknown>> {
  if (thinking === undefined) return { cache_prompt: false }
  return { cache_prompt: false, chat_template_kwargs: templateVariables(thinking) }
}

function templateVariables(thinking: Thinking): Readonly<Record<string, unknown>> {
  if (thinking === 'off' || thinking === 'on') return { enable_thinking: thinking === 'on' }
  return { enable_thinking: true, reasoning_effort: thinking }
}

function quantizationOf(props: unknown, served: ServedModel): Fact<string> {
  const label = textAt(props, 'model_ftype') ?? textAt(served.entry, 'meta', 'ftype')
  return label === undefined
    ? unknown('this llama-server is too old to tell')
    : quantizationOfLabel(label)
}

async function digestOf(
  path: string | undefined,
  { isLocal }: ServerAddress,
): Promise<Fact<string>> {
  if (path === undefined) return unknown('/props has no model_path')
  if (!isLocal) return unknown('the weights are on another machine')
  return hashFile(path).catch((error: unknown) =>
    unknown(`${path} cannot be read here: ${messageOf(error)}`),
  )
}

async function processOf({ isLocal, port }: ServerAddress): Promise<Fact<number>> {
  return isLocal ? findListeningProcess(port) : unknown('the server runs on another machine')
}

import { type BackendInfo, unknown } from '@energy-bench/spec'
import type { Server } from '../server/create-server-backend.js'
import { at, numberAt, textAt } from '../server/json-path.js'
import { bareInfo } from '../server/server-profile.js'
import type { LoadedLmStudioModel } from './find-loaded-model.js'

/** Describes a loaded model by what `/api/v1/models` says of it. */
export function describeModel(
  { address }: Server,
  { id, entry, config }: LoadedLmStudioModel,
  cachePrompt: boolean,
): BackendInfo {
  return {
    ...bareInfo('LM Studio', id, 'LM Studio does not tell it over HTTP'),
    quantization: textAt(entry, 'quantization', 'name') ?? unknown('the model has no quantization'),
    contextTokens: numberAt(config, 'context_length') ?? unknown('no instance is loaded'),
    slots: numberAt(config, 'parallel') ?? unknown('the instance has no parallel'),
    promptCache: cachePrompt ? 'on' : 'off',
    settings: {
      baseUrl: address.rootUrl,
      ...flatSettings({
        format: at(entry, 'format'),
        flashAttention: at(config, 'flash_attention'),
        batchTokens: at(config, 'eval_batch_size'),
        keyValueCacheOnGpu: at(config, 'offload_kv_cache_to_gpu'),
      }),
      ...(cachePrompt ? {} : { cacheAvoidance: 'unique prefix' }),
    },
  }
}

/** Leaves out what is not told. */
function flatSettings(values: Readonly<Record<string, unknown>>): BackendInfo['settings'] {
  const known = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, value] as const]
      : [],
  )
  return Object.fromEntries(known)
}

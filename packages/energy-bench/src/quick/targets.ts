import process from 'node:process'
import { connectEngine, createLlamaCpp } from '@energy-bench/backends'
import { referenceModels } from '@energy-bench/reference-model'
import { type Backend, type BackendInfo, isUnknown, type ModelRef } from '@energy-bench/spec'
import type { QuickOptions } from './options.js'

/** One model on one engine, not loaded yet. */
export interface QuickTarget {
  /** For progress, before anything is known of the model. */
  readonly name: string
  readonly model: ModelRef
  /** Looks which engine it is where the target is a URL. */
  createBackend(signal?: AbortSignal): Promise<Backend>
  /** Name of the loaded model in tables. */
  nameOf(info: BackendInfo): string
}

/** The models that the options name, else the reference model in each of its quantizations. */
export function quickTargets(
  { models, urls }: QuickOptions,
  apiKey = process.env.ENERGY_BENCH_API_KEY,
): readonly QuickTarget[] {
  const named = [...models.map(fileTarget), ...urls.map((url) => serverTarget(url, apiKey))]
  if (named.length > 0) return named
  return referenceModels.map(({ quantization, path }) => ({
    ...fileTarget(path),
    name: quantization,
    nameOf: () => quantization,
  }))
}

function fileTarget(path: string): QuickTarget {
  const name = modelName(path)
  return { name, model: { path }, createBackend: async () => createLlamaCpp(), nameOf: () => name }
}

/** `url` is the address of a server and, after a `#`, the name of one of its models. */
function serverTarget(url: string, apiKey: string | undefined): QuickTarget {
  const [baseUrl = url, ...rest] = url.split('#')
  const id = rest.join('#')
  const place = baseUrl.replace(/^https?:\/\//, '').replace(/\/$/, '')
  return {
    name: id === '' ? place : `${modelName(id)} at ${place}`,
    model: id === '' ? {} : { id },
    createBackend: (signal) =>
      connectEngine({
        baseUrl,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(signal === undefined ? {} : { signal }),
      }),
    nameOf: ({ model }) => (isUnknown(model) ? place : `${modelName(model)} at ${place}`),
  }
}

function modelName(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.gguf$/i, '')
}

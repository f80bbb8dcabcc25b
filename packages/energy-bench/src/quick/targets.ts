import { createLlamaCpp } from '@energy-bench/backends/llama-cpp'
import { createOpenAI } from '@energy-bench/backends/openai'
import { referenceModels } from '@energy-bench/reference-model'
import type { Backend, ModelRef } from '@energy-bench/spec'
import type { QuickOptions } from './options.js'

/** One model on one engine, not loaded yet. */
export interface QuickTarget {
  readonly name: string
  readonly model: ModelRef
  createBackend(): Backend
}

/** The models that the options name, else the reference model in each of its quantizations. */
export function quickTargets({ models, urls }: QuickOptions): readonly QuickTarget[] {
  const named = [...models.map(fileTarget), ...urls.map(serverTarget)]
  if (named.length > 0) return named
  return referenceModels.map(({ quantization, path }) => ({
    ...fileTarget(path),
    name: quantization,
  }))
}

function fileTarget(path: string): QuickTarget {
  const name = path.replace(/^.*[\\/]/, '').replace(/\.gguf$/i, '')
  return { name, model: { path }, createBackend: () => createLlamaCpp() }
}

function serverTarget(url: string): QuickTarget {
  const name = url.replace(/^https?:\/\//, '')
  return { name, model: {}, createBackend: () => createOpenAI({ baseUrl: url }) }
}

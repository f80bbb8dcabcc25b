import {
  type Backend,
  type BackendSupports,
  EnergyBenchError,
  type GenerateEvent,
  type LoadedModel,
} from '@energy-bench/spec'
import { disposedError } from '../shared/backend-errors.js'
import { generate, type LoadedParts } from './generate.js'
import { loadModel } from './load-model.js'
import { describeModel, type EngineParts } from './model-info.js'

/** How llama.cpp shall run. */
export interface LlamaCppOptions {
  /** CPU threads. Default: 1 on machines of up to 4 cores, else half the cores. */
  readonly threads?: number
  /** Default: what the model was trained for, at most 8192. */
  readonly contextTokens?: number
  /** `false` keeps everything on the CPU. Default `auto`. */
  readonly gpu?: 'auto' | false
}

const supports: BackendSupports = { seed: true, concurrency: false, thinking: true }

/**
 * Makes the in-process engine: llama.cpp through node-llama-cpp, loaded on the first `load`.
 *
 * @example
 * await using model = await createLlamaCpp().load({ path: 'model.gguf' })
 */
export function createLlamaCpp(options: LlamaCppOptions = {}): Backend {
  const open = new Set<LoadedModel>()
  let isDisposed = false
  return {
    specVersion: 1,
    id: 'llama-cpp',
    supports,
    async load({ path }, loadOptions = {}) {
      if (isDisposed) throw disposedError('The llama-cpp backend')
      loadOptions.signal?.throwIfAborted()
      if (path === undefined) throw pathMissing()
      const model = createLoadedModel(await loadModel(path, { ...options, ...loadOptions }))
      open.add(model)
      return model
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
      for (const model of open) await model[Symbol.asyncDispose]()
      open.clear()
    },
  }
}

function createLoadedModel(engine: EngineParts): LoadedModel {
  const { model, context, prompt } = engine
  const info = describeModel(engine)
  const sequence = context.getSequence()
  const parts: LoadedParts = { model, sequence, prompt, contextTokens: context.contextSize }
  const guard = createGuard()
  return {
    info,
    supports: { ...supports, thinking: prompt.canThink },
    generate: (request) => guard.run(() => generate(parts, request)),
    async [Symbol.asyncDispose]() {
      if (guard.close()) await model.dispose()
    },
  }
}

/** One sequence serves one generation: a second one at the same time would mix their tokens. */
function createGuard() {
  let state: 'idle' | 'busy' | 'disposed' = 'idle'
  return {
    async *run(start: () => AsyncIterable<GenerateEvent>): AsyncGenerator<GenerateEvent> {
      if (state === 'disposed') throw disposedError('The model')
      if (state === 'busy') throw busyError()
      state = 'busy'
      try {
        yield* start()
      } finally {
        if (state === 'busy') state = 'idle'
      }
    },
    /** False when it was closed before. */
    close(): boolean {
      const wasOpen = state !== 'disposed'
      state = 'disposed'
      return wasOpen
    },
  }
}

function pathMissing(): EnergyBenchError {
  return new EnergyBenchError('model-invalid', 'llama-cpp got no path of a model file.', {
    fix: "Call load({ path: 'model.gguf' }).",
  })
}

function busyError(): EnergyBenchError {
  return new EnergyBenchError('backend-busy', 'Another generation runs on this model.', {
    fix: 'Finish or break out of the earlier generation first.',
  })
}

import {
  type Backend,
  type BackendInfo,
  EnergyBenchError,
  type LoadedModel,
  type ModelRef,
} from '@energy-bench/spec'
import { createLlamaServer } from '../llama-server/index.js'
import { disposedError } from '../shared/backend-errors.js'
import { createVllm } from '../vllm/index.js'
import { explaining } from './engine-death.js'
import { type LaunchLlamaServerOptions, launchLlamaServer } from './launch-llama-server.js'
import type { LaunchedServer } from './launch-server.js'
import { type LaunchVllmOptions, launchVllm } from './launch-vllm.js'

/** Options of a launch without what `load` gives. */
type Prepared<Options> = Omit<Options, 'model' | 'signal'> & {
  /** When `load` names none. */
  readonly model?: string
}

/** What `launch` gets from `load`. */
export interface LaunchRequest {
  readonly model: ModelRef
  readonly contextTokens?: number
  readonly signal: AbortSignal
}

/** An engine that is started for each model. */
export interface LaunchedBackendOptions extends Pick<Backend, 'id' | 'supports'> {
  launch(request: LaunchRequest): Promise<LaunchedServer<never>>
}

/**
 * Makes a backend whose `load` starts an engine and whose models stop theirs when they are disposed, so that the
 * points of a sweep can differ in flags. A start that fails rejects `load` with the last lines of the log.
 */
export function launchedBackend(options: LaunchedBackendOptions): Backend {
  const { id, supports } = options
  const closing = new AbortController()
  const models = new Set<LoadedModel>()
  return {
    specVersion: 1,
    id,
    supports,
    async load(model, { contextTokens, signal } = {}) {
      closing.signal.throwIfAborted()
      const stops = AbortSignal.any(
        signal === undefined ? [closing.signal] : [closing.signal, signal],
      )
      const request = {
        model,
        signal: stops,
        ...(contextTokens === undefined ? {} : { contextTokens }),
      }
      const loaded = await loadOn(id, await options.launch(request), request)
      models.add(loaded)
      return loaded
    },
    async [Symbol.asyncDispose]() {
      closing.abort(disposedError(`The ${id} backend`))
      await Promise.all([...models].map((model) => model[Symbol.asyncDispose]()))
    },
  }
}

/**
 * A backend that starts a llama-server of its own for each model: `load({ path })`.
 *
 * @example
 * for (const slots of [1, 4, 16]) {
 *   await using backend = launchedLlamaServer({ slots, gpuLayers: 'all' })
 *   await using model = await backend.load({ path: 'qwen3-8b-q4_k_m.gguf' })
 * }
 */
export function launchedLlamaServer(options: Prepared<LaunchLlamaServerOptions> = {}): Backend {
  const { id, supports } = createLlamaServer({ baseUrl: 'http://127.0.0.1' })
  return launchedBackend({
    id,
    supports,
    launch: async ({ model: { path = options.model }, signal, contextTokens }) =>
      launchLlamaServer({
        ...options,
        model: named(path, 'path'),
        signal,
        ...(contextTokens === undefined ? {} : { contextTokens }),
      }),
  })
}

/** A backend that starts a vLLM of its own for each model: `load({ id })`, or `load({ path })` for a folder. */
export function launchedVllm(options: Prepared<LaunchVllmOptions> = {}): Backend {
  const { id, supports } = createVllm({ baseUrl: 'http://127.0.0.1' })
  return launchedBackend({
    id,
    supports,
    launch: async ({ model, signal, contextTokens }) =>
      launchVllm({
        ...options,
        model: named(model.path ?? model.id ?? options.model, 'id'),
        signal,
        ...(contextTokens === undefined ? {} : { maxModelLen: contextTokens }),
      }),
  })
}

function named(model: string | undefined, key: 'id' | 'path'): string {
  if (model !== undefined) return model
  throw new EnergyBenchError('usage-invalid', 'No model is named to launch an engine on.', {
    fix: `Give load({ ${key} }).`,
  })
}

async function loadOn(
  id: string,
  engine: LaunchedServer<never>,
  { model: { id: name }, signal }: LaunchRequest,
): Promise<LoadedModel> {
  const backend = engine.createBackend()
  const stopped = new AbortController()
  const explain = explaining(id, engine, stopped.signal)
  const dispose = async () => {
    stopped.abort()
    await backend[Symbol.asyncDispose]()
    await engine.stop()
  }
  try {
    // A name that the engine does not serve is refused here.
    const model = await backend.load(name === undefined ? {} : { id: name }, { signal })
    return {
      info: launchedInfo(model.info, engine),
      supports: model.supports,
      loading: engine.loading,
      generate: (request) => explain.stream(model.generate(request), request.signal),
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    const why = await explain.error(error, signal)
    await dispose()
    throw why
  }
}

/** Flags in place of the address, which differs from start to start and would make every one a cell of its own. */
function launchedInfo(info: BackendInfo, { flags }: LaunchedServer<never>): BackendInfo {
  const { baseUrl: _, ...settings } = info.settings
  return { ...info, settings: { ...settings, launchFlags: flags.join(' ') } }
}

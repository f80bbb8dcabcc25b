import {
  type Backend,
  type GenerateEvent,
  type GenerateRequest,
  isEnergyBenchError,
  type LoadedModel,
} from '@energy-bench/spec'
import { sleep } from '../shared/sleep.js'

/** A failed attempt that another one follows. */
export interface FailedAttempt {
  /** Counted from 1. */
  readonly attempt: number
  /** Time that the attempt took, seconds. */
  readonly durationS: number
  /** Pause before the next one, seconds. */
  readonly waitS: number
  readonly error: unknown
}

/** How often and how patiently to try. */
export interface RetryOptions {
  /** Attempts in all. Default 3. */
  readonly attempts?: number
  /** Pause after the first failure, doubled after each further one; the engine's `Retry-After` wins. Default 1. */
  readonly waitS?: number
  /** Longest pause, seconds. Default 60. */
  readonly maxWaitS?: number
  /** Called before each pause: the time and energy of a failed attempt are real and belong to nobody else. */
  readonly onRetry?: (failed: FailedAttempt) => void
  /** Waits; rejects with the reason of the signal. Default: a timer. */
  readonly sleep?: (durationS: number, signal?: AbortSignal) => Promise<void>
}

/**
 * Wraps a backend so that `load` and `generate` are tried again after an error with `isRetryable`. An answer that has
 * begun is never repeated: its pieces are already with the caller.
 *
 * @example
 * const backend = withRetries(createOllama({ model: 'qwen3:8b' }), { attempts: 5 })
 */
export function withRetries(backend: Backend, options: RetryOptions = {}): Backend {
  return {
    specVersion: backend.specVersion,
    id: backend.id,
    supports: backend.supports,
    async load(model, loadOptions = {}) {
      const retry = createRetry(options, loadOptions.signal)
      return retrying(await retry(() => backend.load(model, loadOptions)), options)
    },
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  }
}

function retrying(model: LoadedModel, options: RetryOptions): LoadedModel {
  return {
    info: model.info,
    supports: model.supports,
    ...(model.loading === undefined ? {} : { loading: model.loading }),
    generate: (request) => generate(model, request, options),
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  }
}

async function* generate(
  model: LoadedModel,
  request: GenerateRequest,
  options: RetryOptions,
): AsyncGenerator<GenerateEvent, void, undefined> {
  const retry = createRetry(options, request.signal)
  const { events, first } = await retry(async () => {
    const started = model.generate(request)[Symbol.asyncIterator]()
    return { events: started, first: await started.next() }
  })
  try {
    for (let next = first; next.done !== true; next = await events.next()) yield next.value
  } finally {
    await events.return?.()
  }
}

type Retry = <Result>(action: () => Promise<Result>) => Promise<Result>

function createRetry(options: RetryOptions, signal: AbortSignal | undefined): Retry {
  const { attempts = 3, sleep: wait = sleep } = options
  return async (action) => {
    for (let attempt = 1; ; attempt += 1) {
      const startMs = performance.now()
      try {
        return await action()
      } catch (error) {
        signal?.throwIfAborted()
        if (attempt >= attempts || !isEnergyBenchError(error) || !error.isRetryable) throw error
        const waitS = pauseS(options, attempt, error.retryAfterS)
        const durationS = (performance.now() - startMs) / 1000
        options.onRetry?.({ attempt, durationS, waitS, error })
        await wait(waitS, signal)
      }
    }
  }
}

function pauseS(
  { waitS = 1, maxWaitS = 60 }: RetryOptions,
  attempt: number,
  retryAfterS: number | undefined,
): number {
  return Math.min(retryAfterS ?? waitS * 2 ** (attempt - 1), maxWaitS)
}

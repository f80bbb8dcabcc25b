import { EnergyBenchError } from '@energy-bench/spec'

/** A signal that stops one request. Dispose it, or its timer and listeners stay. */
export interface RequestDeadline extends Disposable {
  /** Its reason is the error that the caller gets. */
  readonly signal: AbortSignal
}

/** What ends a request early. */
export interface RequestLimits {
  /** Seconds until the whole answer must be there; `Infinity` for no limit. */
  readonly timeoutS: number
  readonly url: string
  readonly stops: readonly (AbortSignal | undefined)[]
}

/** Longest time that a timer can wait, milliseconds. */
const longestTimerMs = 2 ** 31 - 1

/** Not `AbortSignal.any`: on Node 20 a signal that lives long keeps every one that was made from it. */
export function createRequestDeadline({ timeoutS, url, stops }: RequestLimits): RequestDeadline {
  const controller = new AbortController()
  const expire = () => controller.abort(timeoutError(url, timeoutS))
  const timer = timeoutS * 1000 > longestTimerMs ? undefined : setTimeout(expire, timeoutS * 1000)
  const removers = stops.map((stop) => follow(stop, controller))
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const remove of removers) remove()
      // Closes the connection where the answer was left early, which stops the engine.
      controller.abort()
    },
  }
}

function follow(stop: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = () => controller.abort(stop?.reason)
  if (stop?.aborted) abort()
  stop?.addEventListener('abort', abort, { once: true })
  return () => stop?.removeEventListener('abort', abort)
}

function timeoutError(url: string, limitS: number): EnergyBenchError {
  return new EnergyBenchError(
    'backend-timeout',
    `${url} gave no whole answer within ${limitS} s.`,
    {
      fix: 'Set a larger time limit, or a smaller maxOutputTokens.',
    },
  )
}

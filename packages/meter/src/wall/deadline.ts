import { WallFailure } from './failure.js'
import { networkFailure, timeoutFailure } from './network-failure.js'
import type { WallContext } from './reading.js'

/** Runs one request with a time limit, and turns what goes wrong into a `WallFailure` about `host`. */
export async function withDeadline<Value>(
  context: WallContext,
  host: string,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  context.signal.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort(context.signal.reason)
  const timeout = timeoutFailure(host, context.timeoutS)
  const timer = setTimeout(() => controller.abort(timeout), context.timeoutS * 1000)
  context.signal.addEventListener('abort', stop, { once: true })
  try {
    return await run(controller.signal)
  } catch (error) {
    context.signal.throwIfAborted()
    if (controller.signal.aborted && !(error instanceof WallFailure)) throw timeout
    throw networkFailure(host, error)
  } finally {
    clearTimeout(timer)
    context.signal.removeEventListener('abort', stop)
  }
}

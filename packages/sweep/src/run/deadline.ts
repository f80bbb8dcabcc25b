/** A signal that aborts when the caller does or when the time is over. Dispose it, or its timer stays. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  hasExpired(): boolean
}

/** `timeoutS` undefined means no limit. Not `AbortSignal.any`: on Node 20 it keeps every item's signal alive. */
export function createDeadline(
  timeoutS: number | undefined,
  parent: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController()
  let expired = false
  const abort = () => controller.abort(parent?.reason)
  const expire = () => {
    expired = true
    controller.abort(new DOMException(`The item took longer than ${timeoutS} s.`, 'TimeoutError'))
  }
  const timer = timeoutS === undefined ? undefined : setTimeout(expire, timeoutS * 1000)
  parent?.addEventListener('abort', abort, { once: true })
  if (parent?.aborted) abort()
  return {
    signal: controller.signal,
    hasExpired: () => expired,
    [Symbol.dispose]() {
      clearTimeout(timer)
      parent?.removeEventListener('abort', abort)
    },
  }
}

import { sleep } from '../shared/sleep.js'
import type { EngineProcess } from './engine-process.js'

const pollS = 0.05
const answerWaitS = 5

/** Resolves to how waiting ended: the route answered with a 2xx, the process ended, or the time was over. */
export async function waitUntilReady(
  engine: EngineProcess,
  { url, timeoutS }: { readonly url: string; readonly timeoutS: number },
  signal?: AbortSignal,
): Promise<'ready' | 'ended' | 'timeout'> {
  const deadlineMs = performance.now() + timeoutS * 1000
  while (performance.now() < deadlineMs) {
    const isReady = await answers(url, signal)
    signal?.throwIfAborted()
    if (engine.exit() !== null) return 'ended'
    if (isReady) return 'ready'
    await Promise.race([sleep(pollS, signal), engine.ended])
  }
  return 'timeout'
}

async function answers(url: string, signal: AbortSignal | undefined): Promise<boolean> {
  const limit = AbortSignal.timeout(answerWaitS * 1000)
  try {
    const stop = signal === undefined ? limit : AbortSignal.any([signal, limit])
    const response = await fetch(url, { signal: stop })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

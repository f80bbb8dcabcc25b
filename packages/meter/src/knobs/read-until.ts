import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable, type Unavailable } from '@energy-bench/spec'

const LIMIT_MS = 1000
const PAUSE_MS = 20

/** Reads again until the value is good, for at most 1 s: drivers may need a moment. Gives the last value that was read. */
export async function readUntil(
  read: () => number | Unavailable,
  isGood: (value: number) => boolean,
  signal: AbortSignal,
): Promise<number | Unavailable> {
  const giveUpMs = performance.now() + LIMIT_MS
  let value = read()
  while (!isUnavailable(value) && !isGood(value) && performance.now() < giveUpMs) {
    await pause(signal)
    value = read()
  }
  return value
}

/** The timer rejects with an error of its own; callers want the reason that they gave. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
}

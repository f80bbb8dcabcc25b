import { setTimeout as wait } from 'node:timers/promises'

/** Waits with a timer; an abort rejects at once with the reason of the signal. */
export async function sleep(durationS: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(durationS * 1000, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

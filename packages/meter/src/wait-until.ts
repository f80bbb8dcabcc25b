import { setTimeout as delay } from 'node:timers/promises'
import type { Meter } from '@energy-bench/spec'

/** Resolves when the clock of the meter has reached `timeS`. Rejects with the reason of `signal`. */
export async function waitUntil(
  meter: Pick<Meter, 'now'>,
  timeS: number,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted()
  // The clock may be driven by a test, so what is left is asked again and again.
  for (let leftS = timeS - meter.now(); leftS > 0; leftS = timeS - meter.now()) {
    try {
      await delay(Math.max(1, 1000 * leftS), undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }
}

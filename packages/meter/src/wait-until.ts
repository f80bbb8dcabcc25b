import { setTimeout as timeout } from 'node:timers/promises'
import type { Meter } from '@energy-bench/spec'

/** Waits so many seconds; rejects with the reason of the signal. */
export type Delay = (durationS: number, signal: AbortSignal | undefined) => Promise<void>

/** How to wait. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Default: a timer. */
  readonly delay?: Delay | undefined
}

/** Resolves when the clock of the meter has reached `timeS`. Rejects with the reason of `signal`. */
export async function waitUntil(
  meter: Pick<Meter, 'now'>,
  timeS: number,
  { signal, delay = timer }: WaitOptions = {},
): Promise<void> {
  signal?.throwIfAborted()
  // The clock may be driven by a test, so what is left is asked again and again.
  for (let leftS = timeS - meter.now(); leftS > 0; leftS = timeS - meter.now()) {
    await delay(leftS, signal)
  }
}

async function timer(durationS: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    const durationMs = Math.max(1, 1000 * durationS)
    await timeout(durationMs, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    // The timer rejects with an AbortError of its own; callers want the reason that they gave.
    signal?.throwIfAborted()
    throw error
  }
}

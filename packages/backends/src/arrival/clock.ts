import { monotonicS } from '../shared/monotonic.js'
import { sleep } from '../shared/sleep.js'

/** Time, as the loops see it. */
export interface ArrivalClock {
  /** Monotonic seconds. */
  now(): number
  /** Waits; rejects with the reason of the signal. */
  sleep(durationS: number, signal?: AbortSignal): Promise<void>
}

/** The clock of the meter: a window from `startedS` to `endedS` of a row can be asked of it. */
export const realClock: ArrivalClock = {
  now: monotonicS,
  sleep,
}

/** Waits for a moment. Timers may end early, and each wait starts from the moment itself, so that nothing adds up. */
export async function sleepUntil(
  clock: ArrivalClock,
  timeS: number,
  signal?: AbortSignal,
): Promise<void> {
  for (let leftS = timeS - clock.now(); leftS > 0; leftS = timeS - clock.now()) {
    await clock.sleep(leftS, signal)
  }
}

import { checkLimits } from './check-limits.js'
import { type ArrivalClock, realClock, sleepUntil } from './clock.js'
import { type PoissonOptions, poissonArrivals } from './poisson-arrivals.js'
import {
  type LoadResult,
  loadResult,
  type RequestRow,
  type RunRequest,
  runRequest,
} from './requests.js'

/** A load whose requests arrive by themselves, whether earlier ones are answered or not. */
export type OpenLoopOptions<Result> = PoissonOptions & {
  readonly run: RunRequest<Result>
  /** Requests that arrive above it wait, which shows in `startDelayS` and counts in `latencyS`. Default: no limit. */
  readonly maxInFlight?: number
  readonly signal?: AbortSignal
  /** For tests. */
  readonly clock?: ArrivalClock
}

/**
 * Sends requests at the moments of a Poisson process that is drawn up front. Latency counts from the arrival, so that
 * a stalled engine is charged for the requests that it held up. Rejects with the reason of `signal` when aborted.
 *
 * @example
 * const { rows, achievedPerS } = await openLoop({ ratePerS: 4, seed: 1, durationS: 60, run })
 */
export async function openLoop<Result>(
  options: OpenLoopOptions<Result>,
): Promise<LoadResult<Result>> {
  const { run, signal, clock = realClock, ratePerS, maxInFlight } = options
  checkLimits(options, { ratePerS, maxInFlight })
  const arrivalsS = poissonArrivals(options)
  const startS = clock.now()
  const rows: RequestRow<Result>[] = []
  const inFlight = createInFlight(maxInFlight ?? Number.POSITIVE_INFINITY)
  try {
    for (const [index, arrivalS] of arrivalsS.entries()) {
      const scheduledS = startS + arrivalS
      await sleepUntil(clock, scheduledS, signal)
      await inFlight.room()
      signal?.throwIfAborted()
      const request = { index, client: null, signal }
      inFlight.add(runRequest(run, request, { clock, scheduledS }).then((row) => rows.push(row)))
    }
  } finally {
    await inFlight.settle()
  }
  signal?.throwIfAborted()
  return loadResult(rows, startS, offeredRate(arrivalsS, options.durationS))
}

/** Over the asked duration where that ended the load, else until the last arrival. */
function offeredRate(arrivalsS: readonly number[], durationS: number | undefined): number | null {
  const spanS = durationS ?? arrivalsS.at(-1)
  return spanS === undefined ? null : arrivalsS.length / spanS
}

interface InFlight {
  /** Resolves when one more request may start. */
  room(): Promise<void>
  add(request: Promise<unknown>): void
  settle(): Promise<void>
}

function createInFlight(limit: number): InFlight {
  const running = new Set<Promise<unknown>>()
  return {
    async room() {
      while (running.size >= limit) await Promise.race(running)
    },
    add(request) {
      const tracked: Promise<unknown> = request.finally(() => running.delete(tracked))
      running.add(tracked)
    },
    async settle() {
      await Promise.all(running)
    },
  }
}

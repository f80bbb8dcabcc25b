import { checkLimits } from './check-limits.js'
import { type ArrivalClock, realClock } from './clock.js'
import type { ArrivalLimit } from './poisson-arrivals.js'
import {
  type LoadResult,
  loadResult,
  type RequestRow,
  type RunRequest,
  runRequest,
} from './requests.js'

/** A load of clients that each wait for an answer before they ask again. */
export type ClosedLoopOptions<Result> = ArrivalLimit & {
  /** Requests in flight at once, while there are that many left. */
  readonly clients: number
  readonly run: RunRequest<Result>
  readonly signal?: AbortSignal
  /** For tests. */
  readonly clock?: ArrivalClock
}

/**
 * Keeps a number of requests in flight. After `durationS` no request starts; those that run are waited for. Rejects
 * with the reason of `signal` when aborted.
 *
 * @example
 * const { rows, achievedPerS } = await closedLoop({ clients: 8, requests: 200, run })
 */
export async function closedLoop<Result>(
  options: ClosedLoopOptions<Result>,
): Promise<LoadResult<Result>> {
  const { clients, run, signal, clock = realClock } = options
  checkLimits(options, { clients })
  const startS = clock.now()
  const rows: RequestRow<Result>[] = []
  const next = createCounter(options, () => clock.now() - startS)
  const work = async (client: number) => {
    for (let index = next(); index !== undefined; index = next()) {
      const scheduledS = clock.now()
      rows.push(await runRequest(run, { index, client, signal }, { clock, scheduledS }))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  signal?.throwIfAborted()
  return loadResult(rows, startS, null)
}

/** Gives out numbers until a limit is reached. */
function createCounter<Result>(
  { requests, durationS, signal }: ClosedLoopOptions<Result>,
  elapsedS: () => number,
): () => number | undefined {
  let given = 0
  return () => {
    const isOver =
      signal?.aborted === true ||
      given >= (requests ?? Number.POSITIVE_INFINITY) ||
      elapsedS() >= (durationS ?? Number.POSITIVE_INFINITY)
    if (isOver) return undefined
    given += 1
    return given - 1
  }
}

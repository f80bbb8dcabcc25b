import type { ArrivalClock } from './clock.js'

/** What `run` gets for one request. */
export interface ArrivedRequest {
  /** Counted from 0, in order of arrival. */
  readonly index: number
  /** Which client sends it, counted from 0; null in an open loop, where every request is a client of its own. */
  readonly client: number | null
  readonly signal: AbortSignal | undefined
}

/** How one request ended. */
export type RequestOutcome<Result> =
  | { readonly status: 'done'; readonly result: Result }
  | { readonly status: 'failed'; readonly error: unknown }

/** One request of a load. Moments are seconds on the monotonic clock. */
export interface RequestRow<Result> {
  readonly index: number
  readonly client: number | null
  /** When it arrived. In a closed loop this is when its client was free. */
  readonly scheduledS: number
  readonly startedS: number
  readonly endedS: number
  /** How late it was started. */
  readonly startDelayS: number
  /** From start to end. */
  readonly durationS: number
  /** From arrival to end: what a user waits, also while earlier requests hold theirs up. */
  readonly latencyS: number
  readonly outcome: RequestOutcome<Result>
}

/** What a load gave. */
export interface LoadResult<Result> {
  /** In order of arrival. */
  readonly rows: readonly RequestRow<Result>[]
  /** From the start of the load to the end of its last request. */
  readonly durationS: number
  /** Requests a second that arrived; null in a closed loop, where clients wait for their answers. */
  readonly offeredPerS: number | null
  /** Requests a second that were done; null when the load took no time. */
  readonly achievedPerS: number | null
}

/** Sends one request. Its rejection is the outcome of that request, not of the load. */
export type RunRequest<Result> = (request: ArrivedRequest) => Promise<Result>

/** Runs one request and takes its times. Never rejects. */
export async function runRequest<Result>(
  run: RunRequest<Result>,
  request: ArrivedRequest,
  { clock, scheduledS }: { readonly clock: ArrivalClock; readonly scheduledS: number },
): Promise<RequestRow<Result>> {
  const startedS = clock.now()
  const outcome = await outcomeOf(run, request)
  const endedS = clock.now()
  return {
    index: request.index,
    client: request.client,
    scheduledS,
    startedS,
    endedS,
    startDelayS: startedS - scheduledS,
    durationS: endedS - startedS,
    latencyS: endedS - scheduledS,
    outcome,
  }
}

async function outcomeOf<Result>(
  run: RunRequest<Result>,
  request: ArrivedRequest,
): Promise<RequestOutcome<Result>> {
  try {
    return { status: 'done', result: await run(request) }
  } catch (error) {
    return { status: 'failed', error }
  }
}

/** Puts the rows in order and takes the rates. */
export function loadResult<Result>(
  rows: readonly RequestRow<Result>[],
  startS: number,
  offeredPerS: number | null,
): LoadResult<Result> {
  const durationS = rows.reduce((lastS, { endedS }) => Math.max(lastS, endedS), startS) - startS
  const done = rows.filter(({ outcome }) => outcome.status === 'done').length
  return {
    rows: rows.toSorted((a, b) => a.index - b.index),
    durationS,
    offeredPerS,
    achievedPerS: durationS > 0 ? done / durationS : null,
  }
}

import { isUnavailable, type SourceSample, type Unavailable, unavailable } from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import { withDeadline } from './deadline.js'
import type { Pacing, PolledSource } from './polled-source.js'
import { createSteadyPacer } from './steady-pacer.js'
import { createTickPacer } from './tick-pacer.js'

/** Options of `pollSource`. */
export interface PollLoopOptions {
  readonly signal: AbortSignal
  readonly deliver: (samples: readonly SourceSample[]) => void
  /** Resolves after so many seconds, or earlier when the signal fires. */
  readonly sleep: (durationS: number) => Promise<void>
  /** Longest wait for one poll, seconds. Default 10. */
  readonly deadlineS?: number
}

/** Polls between two changes travel together with the change; without one, they wait no longer than this, seconds. */
const MAX_BATCH_AGE_S = 0.25
const DEADLINE_S = 10

/**
 * Polls one source at its own pace until the signal fires or the source ends, and delivers what it saw in batches.
 * Gives the reason when the source ended.
 */
export async function pollSource(
  source: PolledSource,
  options: PollLoopOptions,
): Promise<Unavailable | undefined> {
  const { pacing } = source
  const pacer = pacing.type === 'tick' ? createTickPacer() : createSteadyPacer(pacing.intervalS)
  const poll = createSafePoll(source, options.deadlineS ?? DEADLINE_S)
  const outbox = createOutbox(options.deliver)
  const hasChanged = createChangeWatch(pacing)
  while (!options.signal.aborted) {
    const samples = await poll()
    outbox.add(samples)
    const over = source.whyOver?.()
    if (over !== undefined) {
      outbox.send()
      return over
    }
    const last = samples.at(-1)
    const changed = hasChanged(last)
    const { startS, endS } = last ?? { startS: monotonicS(), endS: monotonicS() }
    const waitS = pacer.next({ changed, startS, endS })
    if (changed || waitS > MAX_BATCH_AGE_S || outbox.ageS(endS) > MAX_BATCH_AGE_S) outbox.send()
    await options.sleep(waitS)
  }
  return undefined
}

function createOutbox(deliver: PollLoopOptions['deliver']) {
  let batch: SourceSample[] = []
  return {
    add: (samples: readonly SourceSample[]): void => {
      batch.push(...samples)
    },
    ageS: (nowS: number): number => nowS - (batch[0]?.startS ?? nowS),
    send(): void {
      deliver(batch)
      batch = []
    },
  }
}

/** Tells for each poll whether the counter that sets the pace has moved since the one before. */
function createChangeWatch(pacing: Pacing): (sample: SourceSample | undefined) => boolean {
  let energyJ: number | undefined
  return (sample) => {
    if (pacing.type !== 'tick' || sample === undefined) return false
    const valueJ = counterValueJ(sample, pacing.domainId)
    const changed = valueJ !== undefined && energyJ !== undefined && valueJ !== energyJ
    energyJ = valueJ ?? energyJ
    return changed
  }
}

function counterValueJ(sample: SourceSample, domainId: string): number | undefined {
  const domain = sample.domains[domainId]
  return domain !== undefined && 'type' in domain && domain.type === 'energy'
    ? domain.energyJ
    : undefined
}

/** A driver that throws or keeps silent must not end the run: every domain of it is then without a value. */
function createSafePoll(
  source: PolledSource,
  deadlineS: number,
): () => Promise<readonly SourceSample[]> {
  let running: Promise<readonly SourceSample[] | Unavailable> | undefined
  return async () => {
    const startS = monotonicS()
    // A poll that is late is waited for again: a second one must not run beside it.
    running ??= samplesOf(source).finally(() => {
      running = undefined
    })
    const samples = await withDeadline(running, deadlineS, source.id)
    if (!isUnavailable(samples)) return samples
    return [failed(source, samples, startS)]
  }
}

async function samplesOf(source: PolledSource): Promise<readonly SourceSample[] | Unavailable> {
  try {
    return source.sampleMany === undefined ? [await source.sample()] : await source.sampleMany()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return unavailable('failed', `${source.id} threw: ${why}`)
  }
}

function failed(source: PolledSource, why: Unavailable, startS: number): SourceSample {
  const domains = Object.fromEntries(source.domains.map(({ id }) => [id, why]))
  return { startS, endS: monotonicS(), domains }
}

import { type SourceSample, unavailable } from '@energy-bench/spec'
import type { PolledSource } from './polled-source.js'
import { createSteadyPacer } from './steady-pacer.js'
import { createTickPacer } from './tick-pacer.js'

/** Options of `pollSource`. */
export interface PollLoopOptions {
  readonly signal: AbortSignal
  readonly deliver: (samples: readonly SourceSample[]) => void
  /** Resolves after so many seconds, or earlier when the signal fires. */
  readonly sleep: (durationS: number) => Promise<void>
}

/** Polls between two changes travel together with the change; without one, they wait no longer than this, seconds. */
const MAX_BATCH_AGE_S = 0.25

/** Polls one source at its own pace until the signal fires, and delivers what it saw in batches. */
export async function pollSource(source: PolledSource, options: PollLoopOptions): Promise<void> {
  const { pacing } = source
  const pacer = pacing.type === 'tick' ? createTickPacer() : createSteadyPacer(pacing.intervalS)
  let batch: SourceSample[] = []
  let energyJ: number | undefined
  while (!options.signal.aborted) {
    const sample = await sampleSafely(source)
    batch.push(sample)
    const valueJ = pacing.type === 'tick' ? counterValueJ(sample, pacing.domainId) : undefined
    const changed = valueJ !== undefined && energyJ !== undefined && valueJ !== energyJ
    energyJ = valueJ ?? energyJ
    const waitS = pacer.next({ changed, startS: sample.startS, endS: sample.endS })
    if (
      changed ||
      sample.endS - (batch[0]?.startS ?? 0) > MAX_BATCH_AGE_S ||
      waitS > MAX_BATCH_AGE_S
    ) {
      options.deliver(batch)
      batch = []
    }
    await options.sleep(waitS)
  }
}

function counterValueJ(sample: SourceSample, domainId: string): number | undefined {
  const domain = sample.domains[domainId]
  return domain !== undefined && 'type' in domain && domain.type === 'energy'
    ? domain.energyJ
    : undefined
}

/** A driver that throws must not end the run: every domain of it is then without a value. */
async function sampleSafely(source: PolledSource): Promise<SourceSample> {
  try {
    return await source.sample()
  } catch (error) {
    const why = unavailable(
      'failed',
      `${source.id} threw: ${error instanceof Error ? error.message : String(error)}`,
    )
    // No time is known for a poll that failed, and none is needed.
    return {
      startS: 0,
      endS: 0,
      domains: Object.fromEntries(source.domains.map(({ id }) => [id, why])),
    }
  }
}

import {
  EnergyBenchError,
  isUnavailable,
  type Meter,
  type SourceSample,
  type Unavailable,
} from '@energy-bench/spec'
import { createHistory, type History } from './history.js'
import type { OpenedSource } from './messages.js'
import { connectPoller, type PollerThread } from './poller.js'

/** Options of `openPolledMeter`. */
export interface PolledMeterOptions {
  /** One sentence a choice, for `Meter.selection`. */
  readonly selection: readonly string[]
  /** Seconds, the clock of the sources. */
  readonly now: () => number
}

/** A window is waited for this long after its end: some ticks and the way between the threads. */
const DEADLINE_TICKS = 3
const DEADLINE_S = 0.5

/** Makes a meter of a polling thread, once its sources are open. Gives the reason when none of them opens. */
export async function openPolledMeter(
  thread: PollerThread,
  options: PolledMeterOptions,
): Promise<Meter | Unavailable> {
  const early: SourceSample[] = []
  const waiting = new Set<() => void>()
  let history: History | undefined
  let crash: Unavailable | undefined
  const poller = connectPoller(thread, {
    onSamples(samples) {
      if (history === undefined) early.push(...samples)
      for (const sample of samples) history?.add(sample)
      for (const look of waiting) look()
    },
    onCrash(why) {
      crash = why
      history?.end(why)
      for (const look of waiting) look()
    },
  })
  const results = await poller.opened
  const sources = results.filter((source): source is OpenedSource => !isUnavailable(source))
  if (sources.length === 0) {
    if (crash === undefined) await poller.stop()
    return results.find(isUnavailable) ?? noSource()
  }
  history = createHistory(sources)
  for (const sample of early) history.add(sample)
  if (crash !== undefined) history.end(crash)
  return createMeter({
    history,
    sources,
    waiting,
    options,
    stop: () => (crash === undefined ? poller.stop() : undefined),
  })
}

const closed: Unavailable = {
  status: 'unavailable',
  reason: 'no-data',
  detail: 'the meter is closed',
}

function noSource(): Unavailable {
  return { status: 'unavailable', reason: 'no-device', detail: 'no source was asked for' }
}

interface MeterParts {
  readonly history: History
  readonly sources: readonly OpenedSource[]
  /** Called whenever something new is known. */
  readonly waiting: Set<() => void>
  readonly options: PolledMeterOptions
  readonly stop: () => Promise<void> | undefined
}

function createMeter({ history, sources, waiting, options, stop }: MeterParts): Meter {
  let isDisposed = false
  const assertOpen = (): void => {
    if (isDisposed)
      throw new EnergyBenchError('usage-invalid', 'the meter is closed', {
        fix: 'Read it before it is disposed.',
      })
  }
  return {
    specVersion: 1,
    domains: sources.flatMap((source) => source.domains),
    devices: sources.flatMap((source) => source.devices),
    selection: options.selection,
    now: options.now,
    async energyBetween(startS, endS) {
      assertOpen()
      if (endS > startS && Number.isFinite(endS))
        await waitUntilKnown({ history, waiting, now: options.now }, endS)
      assertOpen()
      return history.reading(startS, endS)
    },
    statesBetween: (startS, endS) => history.statesBetween(startS, endS),
    async [Symbol.asyncDispose]() {
      if (isDisposed) return
      isDisposed = true
      history.end(closed)
      for (const look of waiting) look()
      await stop()
    },
  }
}

interface Wait {
  readonly history: History
  readonly waiting: Set<() => void>
  readonly now: () => number
}

/** Resolves when the window that ends at `endS` is known, at the latest at its deadline. */
async function waitUntilKnown({ history, waiting, now }: Wait, endS: number): Promise<void> {
  if (history.reaches(endS)) return
  const deadlineS = Math.max(now(), endS) + DEADLINE_TICKS * history.slowestTickS() + DEADLINE_S
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      waiting.delete(look)
      resolve()
    }
    const look = (): void => {
      if (history.reaches(endS)) finish()
    }
    const timer = setTimeout(finish, 1000 * (deadlineS - now()))
    waiting.add(look)
  })
}

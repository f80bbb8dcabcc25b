import { setMaxListeners } from 'node:events'
import {
  type DeviceState,
  EnergyBenchError,
  type EnergyDomain,
  type Meter,
  type Unavailable,
} from '@energy-bench/spec'
import type { Feed } from './feed.js'

/** Options of `createPolledMeter`. */
export interface PolledMeterOptions {
  readonly domains: readonly EnergyDomain[]
  /** One sentence a choice, for `Meter.selection`. */
  readonly selection: readonly string[]
  /** Seconds, the clock of the sources. */
  readonly now: () => number
}

/** A window is waited for this long after its end: some ticks and the way between the threads. */
const DEADLINE_TICKS = 3
const DEADLINE_S = 1
/** A source that is slow against the window cannot tell much about it, and must not hold up the others. */
const MAX_WAIT_S = 5
const MAX_WAIT_RATIO = 0.1

/** Makes one meter of the feeds of several drivers. */
export function createPolledMeter(feeds: readonly Feed[], options: PolledMeterOptions): Meter {
  let isDisposed = false
  const dispose = new AbortController()
  // Every window that is asked about and not over yet listens; there is no leak to warn of.
  setMaxListeners(0, dispose.signal)
  const assertOpen = (): void => {
    if (isDisposed)
      throw new EnergyBenchError('usage-invalid', 'the meter is closed', {
        fix: 'Read it before it is disposed.',
      })
  }
  return {
    specVersion: 1,
    domains: options.domains,
    devices: feeds.flatMap((feed) => feed.sources.flatMap((source) => source.devices)),
    selection: options.selection,
    now: options.now,
    async energyBetween(startS, endS) {
      assertOpen()
      const window = { startS, endS, now: options.now, signal: dispose.signal }
      await Promise.all(feeds.map((feed) => waitUntilKnown(feed, window)))
      assertOpen()
      const domains = feeds.map((feed) => feed.history.reading(startS, endS, feed.silence()))
      return { startS, endS, durationS: endS - startS, domains: merge(domains) }
    },
    statesBetween: (startS, endS) =>
      feeds.flatMap((feed) => feed.history.statesBetween(startS, endS)).sort(byTime),
    pointsBetween: (startS, endS) =>
      merge(feeds.map((feed) => feed.history.pointsBetween(startS, endS))),
    remarksBetween: (startS, endS) =>
      feeds.flatMap((feed) => feed.history.remarksBetween(startS, endS)).sort(byTime),
    async [Symbol.asyncDispose]() {
      if (isDisposed) return
      isDisposed = true
      for (const { history } of feeds) history.end(closed)
      dispose.abort()
      await Promise.all(feeds.map((feed) => feed.stop()))
    },
  }
}

const closed: Unavailable = {
  status: 'unavailable',
  reason: 'no-data',
  detail: 'the meter is closed',
}

function byTime(a: Pick<DeviceState, 'timeS'>, b: Pick<DeviceState, 'timeS'>): number {
  return a.timeS - b.timeS
}

function merge<Value>(
  parts: readonly Readonly<Record<string, Value>>[],
): Readonly<Record<string, Value>> {
  return Object.assign({}, ...parts)
}

interface Wait {
  readonly startS: number
  readonly endS: number
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Resolves when the feed knows the window, at the latest at its deadline. */
async function waitUntilKnown(feed: Feed, { startS, endS, now, signal }: Wait): Promise<void> {
  const isWindow = endS > startS && Number.isFinite(endS)
  if (!isWindow || feed.history.reaches(endS)) return
  const leftS = Math.max(0, endS - now()) + patienceS(feed, endS - startS)
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      stopListening()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const stopListening = feed.listen(() => {
      if (feed.history.reaches(endS)) finish()
    })
    const timer = setTimeout(finish, 1000 * leftS)
    signal.addEventListener('abort', finish)
  })
}

function patienceS({ history }: Feed, durationS: number): number {
  const ticksS = DEADLINE_TICKS * history.slowestTickS() + DEADLINE_S
  return Math.min(ticksS, Math.max(MAX_WAIT_S, MAX_WAIT_RATIO * durationS))
}

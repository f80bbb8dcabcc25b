import {
  type DomainSample,
  EnergyBenchError,
  type EnergySource,
  isUnavailable,
  type SourceSample,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import { createBackOff } from './back-off.js'
import { nameOf, type WallConfig } from './config.js'
import { createDevice, createDomains, type WallDomains } from './domains.js'
import { createDriver } from './driver.js'
import { asFailure } from './failure.js'
import { plausible } from './plausible.js'
import type { WallReading } from './reading.js'
import { createStaleCheck } from './stale.js'
import { traitsOf } from './traits.js'
import { JOULES_IN } from './units.js'

const DEFAULT_TIMEOUT_S = 3

export interface WallOptions {
  readonly fetch?: typeof globalThis.fetch
  /** Seconds of the monotonic clock. */
  readonly now?: () => number
  /** Ends running requests; `sample` then rejects with its reason. */
  readonly signal?: AbortSignal
}

type ReadOutcome = WallReading | Unavailable

/**
 * A wall plug as a source of energy. It only reads: no request switches, sets or resets anything.
 *
 * @example
 * await using plug = createWallSource(parseWallUrl('shelly://192.168.1.5'))
 * const { domains } = await plug.sample()
 */
export function createWallSource(config: WallConfig, options: WallOptions = {}): EnergySource {
  const now = options.now ?? monotonicS
  const disposal = new AbortController()
  const signals = options.signal === undefined ? [] : [options.signal]
  const signal = AbortSignal.any([disposal.signal, ...signals])
  const domains = createDomains(config)
  const read = createReader(config, {
    fetch: options.fetch ?? globalThis.fetch,
    now,
    signal,
    timeoutS: config.timeoutS ?? DEFAULT_TIMEOUT_S,
  })
  return {
    id: `wall:${nameOf(config)}`,
    domains: domains.all,
    devices: [createDevice(config)],
    async sample(): Promise<SourceSample> {
      signal.throwIfAborted()
      const startS = now()
      const outcome = await read()
      const endS = now()
      return { startS, endS, domains: samplesOf(domains, outcome, (startS + endS) / 2) }
    },
    async [Symbol.asyncDispose]() {
      disposal.abort(new EnergyBenchError('meter-unavailable', 'the wall plug source is closed'))
    },
  }
}

/** One poll: wait out a back-off, read, and check what came. */
function createReader(
  config: WallConfig,
  context: Parameters<typeof createDriver>[1],
): () => Promise<ReadOutcome> {
  const { slowestS, counterStepJ = JOULES_IN.Wh } = traitsOf(config)
  const driver = createDriver(config, context)
  const staleCheck = createStaleCheck({ slowestS, counterStepJ })
  const backOff = createBackOff()
  let last: 'never-seen' | 'seen' | 'missed' = 'never-seen'
  return async () => {
    const waiting = backOff.waiting(context.now())
    if (waiting !== undefined) return awayAs(last, waiting.unavailable)
    try {
      const reading = plausible(await driver())
      backOff.succeeded()
      last = 'seen'
      return staleCheck.check(reading, context.now())
    } catch (error) {
      context.signal.throwIfAborted()
      const failure = asFailure(error)
      backOff.failed(failure, context.now())
      const why = awayAs(last, failure.unavailable)
      if (last === 'seen') last = 'missed'
      return why
    }
  }
}

/**
 * What it means that a plug does not answer: one that was never seen is absent. One lost answer of Wi-Fi is a lost poll,
 * over which its counter counts on; the second in a row means that the plug is gone.
 */
function awayAs(last: 'never-seen' | 'seen' | 'missed', why: Unavailable): Unavailable {
  if (last === 'never-seen' || why.reason !== 'no-device') return why
  return { ...why, reason: last === 'seen' ? 'no-data' : 'device-lost' }
}

function samplesOf(
  { power, counter }: WallDomains,
  outcome: ReadOutcome,
  middleS: number,
): Record<string, DomainSample> {
  const samples: Record<string, DomainSample> = {}
  if (power !== undefined) samples[power.id] = powerSample(outcome, middleS)
  if (counter !== undefined) samples[counter.id] = counterSample(outcome)
  return samples
}

function powerSample(outcome: ReadOutcome, middleS: number): DomainSample {
  if (isUnavailable(outcome)) return outcome
  const { powerW, timeS = middleS } = outcome
  if (typeof powerW === 'number') return { type: 'power', samples: [{ timeS, powerW }] }
  return powerW ?? missing('power')
}

function counterSample(outcome: ReadOutcome): DomainSample {
  if (isUnavailable(outcome)) return outcome
  const { energyJ } = outcome
  if (typeof energyJ === 'number') return { type: 'energy', energyJ }
  return energyJ ?? missing('energy counter')
}

function missing(what: string): Unavailable {
  return unavailable(
    'not-supported',
    `this plug gives no ${what} of its own`,
    'Use the other reading of the plug.',
  )
}

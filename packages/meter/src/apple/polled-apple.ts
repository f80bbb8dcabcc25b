import { setTimeout as delay } from 'node:timers/promises'
import { type EnergyDomain, isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { PolledSource } from '../polling/polled-source.js'
import type { TimelineOptions } from '../timeline/timeline.js'
import { RAIL_NAMES } from './channels.js'
import { railId } from './domains.js'
import {
  type AppleSample,
  type AppleSource,
  type OpenAppleSourceOptions,
  openAppleSource,
} from './open-apple-source.js'

/** A sample of all channels takes about 3.5 ms, and the power of the machine is to be seen ten times a second. */
const INTERVAL_S = 0.1
/** No Mac has a larger power supply, watts. */
const MAX_POWER_W = 2000

/** Samples that are waited for until the rails of the chip are known, and the pause between them. */
const ATTEMPTS = 5
const PAUSE_MS = 50

/** Opens a Mac to be polled, with the rails that its chip has. `pause` lets the next sample come. */
export async function openPolledApple(
  options: OpenAppleSourceOptions,
  pause: () => Promise<unknown> = () => delay(PAUSE_MS),
): Promise<PolledSource | Unavailable> {
  const source = await openAppleSource(options)
  if (isUnavailable(source)) return source
  const first = await sampleWithRails(source, pause)
  // A rail that the chip lacks would spoil every total, and it will not come.
  const domains = source.domains.filter(({ id }) => !isLacking(first.domains[id]))
  return {
    ...source,
    domains,
    pacing: { type: 'steady', intervalS: INTERVAL_S },
    timelines: Object.fromEntries(domains.map((domain) => [domain.id, timelineOf(domain)])),
  }
}

/** A sample that IOReport gave empty tells nothing about the chip. */
async function sampleWithRails(
  source: AppleSource,
  pause: () => Promise<unknown>,
): Promise<AppleSample> {
  let sample = await source.sample()
  for (let attempt = 1; attempt < ATTEMPTS && isEmpty(sample); attempt += 1) {
    await pause()
    sample = await source.sample()
  }
  return sample
}

function isEmpty({ domains }: AppleSample): boolean {
  const rails = RAIL_NAMES.map((name) => domains[railId(name)])
  return rails.every((rail) => isUnavailable(rail) && rail.reason !== 'not-supported')
}

function isLacking(sample: unknown): boolean {
  return isUnavailable(sample) && sample.reason === 'not-supported'
}

/** Rails step when the chip publishes them, which it stamps; the machine has a sensor of power. */
function timelineOf({ method }: EnergyDomain): TimelineOptions {
  return { method, type: method === 'counter' ? 'tick' : 'power', maxPowerW: MAX_POWER_W }
}

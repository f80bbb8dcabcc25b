import { type EnergyDomain, isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { PolledSource } from '../polling/polled-source.js'
import type { TimelineOptions } from '../timeline/timeline.js'
import { type OpenAppleSourceOptions, openAppleSource } from './open-apple-source.js'

/** A sample of all channels takes about 3.5 ms, and the power of the machine is to be seen ten times a second. */
const INTERVAL_S = 0.1
/** No Mac has a larger power supply, watts. */
const MAX_POWER_W = 2000

/** Opens a Mac to be polled, with the rails that its chip has. */
export async function openPolledApple(
  options: OpenAppleSourceOptions,
): Promise<PolledSource | Unavailable> {
  const source = await openAppleSource(options)
  if (isUnavailable(source)) return source
  const first = await source.sample()
  // A rail that the chip lacks would spoil every total, and it will not come.
  const domains = source.domains.filter(({ id }) => !isLacking(first.domains[id]))
  return {
    ...source,
    domains,
    pacing: { type: 'steady', intervalS: INTERVAL_S },
    timelines: Object.fromEntries(domains.map((domain) => [domain.id, timelineOf(domain)])),
  }
}

function isLacking(sample: unknown): boolean {
  return isUnavailable(sample) && sample.reason === 'not-supported'
}

/** Rails step when the chip publishes them, which it stamps; the machine has a sensor of power. */
function timelineOf({ method }: EnergyDomain): TimelineOptions {
  return { method, type: method === 'counter' ? 'tick' : 'power', maxPowerW: MAX_POWER_W }
}

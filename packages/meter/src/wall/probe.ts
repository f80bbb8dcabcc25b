import { type DomainSample, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { nameOf, type WallConfig } from './config.js'
import { createWallSource, type WallOptions } from './source.js'
import { traitsOf } from './traits.js'

/** What one try of a plug showed. */
export type WallProbe = { readonly name: string; readonly cadence: string } & (
  | { readonly status: 'ready'; readonly detail: string }
  | Unavailable
)

/** Reads the plug once, to say whether it can be used. Never rejects for a plug that cannot. */
export async function probeWall(config: WallConfig, options: WallOptions = {}): Promise<WallProbe> {
  const name = nameOf(config)
  const { label, cadence } = traitsOf(config)
  await using source = createWallSource(config, options)
  const { domains } = await source.sample()
  const readings = Object.values(domains)
  const usable = readings.flatMap((sample) => (isUnavailable(sample) ? [] : [sample]))
  const failure = readings.find(isUnavailable)
  if (usable.length === 0 && failure !== undefined) return { ...failure, name, cadence }
  return { status: 'ready', detail: `${label}: ${usable.map(describe).join(', ')}`, name, cadence }
}

function describe(sample: Exclude<DomainSample, Unavailable>): string {
  if (sample.type === 'energy') return `counter at ${sample.energyJ} J`
  return sample.samples.map(({ powerW }) => `${powerW} W now`).join(', ')
}

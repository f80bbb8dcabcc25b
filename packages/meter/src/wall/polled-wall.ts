import type { EnergyDomain } from '@energy-bench/spec'
import type { PolledSource } from '../polling/polled-source.js'
import type { TimelineOptions } from '../timeline/timeline.js'
import type { WallConfig } from './config.js'
import { MAX_WALL_POWER_W } from './plausible.js'
import { createWallSource, type WallOptions } from './source.js'
import { traitsOf } from './traits.js'

/** Makes a plug to be polled at its own cadence; after a failure the source itself asks less and less often. */
export function createPolledWall(config: WallConfig, options: WallOptions = {}): PolledSource {
  const source = createWallSource(config, options)
  const { pollS, counterStepJ } = traitsOf(config)
  const timelineOf = ({ id }: EnergyDomain): TimelineOptions => {
    const common = { method: 'wall', maxPowerW: MAX_WALL_POWER_W } as const
    if (id.endsWith(':power')) return { ...common, type: 'power' }
    return {
      ...common,
      type: 'tick',
      ...(counterStepJ === undefined ? {} : { resolutionJ: counterStepJ }),
    }
  }
  return {
    ...source,
    pacing: { type: 'steady', intervalS: pollS },
    timelines: Object.fromEntries(source.domains.map((domain) => [domain.id, timelineOf(domain)])),
  }
}

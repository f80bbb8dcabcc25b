import type { DomainSample, EnergySource, Unavailable } from '@energy-bench/spec'
import type { WallConfig } from '../../src/wall/index.js'
import { createWallSource, type WallOptions } from '../../src/wall/index.js'

export interface WallSample {
  readonly powerW: number | Unavailable | undefined
  readonly energyJ: number | Unavailable | undefined
}

/** One poll, as two plain values. */
export async function sampleOf(source: EnergySource): Promise<WallSample> {
  const { domains } = await source.sample()
  const find = (end: string) => Object.entries(domains).find(([id]) => id.endsWith(end))?.[1]
  return { powerW: plain(find(':power')), energyJ: plain(find(':counter')) }
}

/** Opens the plug, polls it once and closes it. */
export async function sampleOnce(
  config: WallConfig,
  options: WallOptions = {},
): Promise<WallSample> {
  await using source = createWallSource(config, options)
  return await sampleOf(source)
}

/** A clock that stands still until it is moved. */
export function fakeClock() {
  let timeS = 1000
  return {
    now: () => timeS,
    wait(seconds: number) {
      timeS += seconds
    },
  }
}

function plain(sample: DomainSample | undefined): number | Unavailable | undefined {
  if (sample === undefined || 'status' in sample) return sample
  if (sample.type === 'energy') return sample.energyJ
  return sample.samples[0]?.powerW
}

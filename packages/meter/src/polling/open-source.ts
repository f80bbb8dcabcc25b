import { type Unavailable, unavailable } from '@energy-bench/spec'
import { openAmdGpuSource } from '../amd/source.js'
import { openPolledApple } from '../apple/polled-apple.js'
import { createCpuSource } from '../cpu-estimate/source.js'
import { openIntelGpuSource } from '../intel/source.js'
import { openNvmlSource } from '../nvml/source.js'
import { openRaplSource } from '../rapl/source.js'
import { openReplaySource } from '../recording/replay-source.js'
import { createPolledWall } from '../wall/polled-wall.js'
import type { PolledSource, SourceSpec } from './polled-source.js'

type Openers = {
  readonly [Kind in SourceSpec['kind']]: (
    spec: Extract<SourceSpec, { kind: Kind }>,
  ) => Promise<PolledSource | Unavailable>
}

/** A new driver adds its line here. */
const openers: Openers = {
  nvml: openNvmlSource,
  amd: openAmdGpuSource,
  intel: openIntelGpuSource,
  apple: openPolledApple,
  rapl: openRaplSource,
  wall: async ({ config }) => createPolledWall(config),
  replay: (spec) => openReplaySource(spec),
  cpu: async (spec) => createCpuSource(spec),
}

/** Opens the source that a spec describes. */
export async function openSource(spec: SourceSpec): Promise<PolledSource | Unavailable> {
  try {
    // The table ties each opener to its kind; the compiler cannot follow that through the look-up.
    const open = openers[spec.kind] as (spec: SourceSpec) => Promise<PolledSource | Unavailable>
    return await open(spec)
  } catch (error) {
    return unavailable(
      'failed',
      `${spec.kind}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

import type { EnergySource, SourceSample, Unavailable } from '@energy-bench/spec'
import type { AmdGpuSourceOptions } from '../amd/source.js'
import type { OpenAppleSourceOptions } from '../apple/open-apple-source.js'
import type { IntelGpuSourceOptions } from '../intel/source.js'
import type { RaplSourceOptions } from '../rapl/source.js'
import type { ReplayConfig } from '../recording/replay-config.js'
import type { TimelineOptions } from '../timeline/timeline.js'
import type { WallConfig } from '../wall/config.js'

/** When a source wants to be polled: around the updates of its counter, or at even intervals. */
export type Pacing =
  | { readonly type: 'tick'; readonly domainId: string }
  | { readonly type: 'steady'; readonly intervalS: number }

/** A source as our own drivers make them: it also says how it is to be polled and how its domains are to be read. */
export interface PolledSource extends EnergySource {
  readonly pacing: Pacing
  /** One entry a domain. */
  readonly timelines: Readonly<Record<string, TimelineOptions>>
  /** For a source that has several samples at hand: all that are due, in place of `sample`. */
  sampleMany?(): Promise<readonly SourceSample[]>
  /** Why no sample will come any more; for a source that has an end. */
  whyOver?(): Unavailable | undefined
}

/** What a driver needs to open its source in the polling thread; plain data. */
export type SourceSpec =
  | { readonly kind: 'nvml'; readonly libraryPath?: string; readonly devices: readonly string[] }
  | {
      readonly kind: 'cpu'
      readonly processIds?: readonly number[]
      readonly wattsPerCore?: number
    }
  | ({ readonly kind: 'amd' } & Pick<AmdGpuSourceOptions, 'devices' | 'root' | 'libraryPath'>)
  | ({ readonly kind: 'intel' } & Pick<IntelGpuSourceOptions, 'devices' | 'root' | 'libraryPath'>)
  | ({ readonly kind: 'rapl' } & Pick<RaplSourceOptions, 'root' | 'procRoot'>)
  | ({ readonly kind: 'apple' } & Pick<OpenAppleSourceOptions, 'libraries' | 'platform' | 'arch'>)
  | { readonly kind: 'wall'; readonly config: WallConfig }
  | ({ readonly kind: 'replay' } & ReplayConfig)

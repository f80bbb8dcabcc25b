import type { EnergySource } from '@energy-bench/spec'
import type { TimelineOptions } from '../timeline/timeline.js'

/** When a source wants to be polled: around the updates of its counter, or at even intervals. */
export type Pacing =
  | { readonly type: 'tick'; readonly domainId: string }
  | { readonly type: 'steady'; readonly intervalS: number }

/** A source as our own drivers make them: it also says how it is to be polled and how its domains are to be read. */
export interface PolledSource extends EnergySource {
  readonly pacing: Pacing
  /** One entry a domain. */
  readonly timelines: Readonly<Record<string, TimelineOptions>>
}

/** What a driver needs to open its source in the polling thread; plain data. */
export type SourceSpec =
  | { readonly kind: 'nvml'; readonly libraryPath?: string; readonly devices: readonly string[] }
  | {
      readonly kind: 'cpu'
      readonly processIds?: readonly number[]
      readonly wattsPerCore?: number
    }

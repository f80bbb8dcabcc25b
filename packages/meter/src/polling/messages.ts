import type { DeviceInfo, EnergyDomain, SourceSample, Unavailable } from '@energy-bench/spec'
import type { TimelineOptions } from '../timeline/timeline.js'
import type { SourceSpec } from './polled-source.js'

/** What the polling thread is started with. */
export interface PollerStart {
  readonly specs: readonly SourceSpec[]
}

/** What an opened source tells about itself. */
export interface OpenedSource {
  readonly domains: readonly EnergyDomain[]
  readonly devices: readonly DeviceInfo[]
  readonly timelines: Readonly<Record<string, TimelineOptions>>
}

/** From the polling thread to the meter. */
export type FromPoller =
  | { readonly type: 'ready'; readonly sources: readonly (OpenedSource | Unavailable)[] }
  | { readonly type: 'batch'; readonly samples: readonly SourceSample[] }

/** From the meter to the polling thread. */
export type ToPoller = { readonly type: 'stop' }

import type { DeviceInfo, EnergyDomain, SourceSample, Unavailable } from '@energy-bench/spec'
import type { DeviceFacts } from '../device-facts.js'
import type { DetectOptions, MeterId } from '../drivers/driver.js'
import type { TimelineOptions } from '../timeline/timeline.js'

/** What a thread is to do: look for one driver only, or poll it. */
export interface PollerOrder {
  readonly task: 'detect' | 'poll'
  readonly driver: MeterId
  readonly options: DetectOptions
}

/** What a thread is started with. */
export interface PollerStart extends PollerOrder {
  /** Shared memory in which the thread says that it has heard `stop`. */
  readonly answer: Int32Array
}

/** What an opened source tells about itself. */
export interface OpenedSource {
  readonly domains: readonly EnergyDomain[]
  readonly devices: readonly DeviceInfo[]
  readonly timelines: Readonly<Record<string, TimelineOptions>>
  /** Usual time between two polls, seconds. */
  readonly intervalS: number
}

/** What a driver found, without what it needs to open it. */
export type FoundDriver =
  | {
      readonly status: 'available'
      readonly detail: string
      readonly devices: readonly DeviceFacts[]
    }
  | Unavailable

/** From the polling thread to the meter. */
export type FromPoller =
  | { readonly type: 'found'; readonly found: FoundDriver }
  | { readonly type: 'ready'; readonly sources: readonly (OpenedSource | Unavailable)[] }
  | { readonly type: 'batch'; readonly samples: readonly SourceSample[] }
  /** No sample comes any more, for a good reason. */
  | { readonly type: 'over'; readonly why: Unavailable }

/** From the meter to the polling thread. */
export type ToPoller = { readonly type: 'stop' }

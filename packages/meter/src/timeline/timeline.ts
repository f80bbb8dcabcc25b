import type { DomainEnergy, DomainSample, EnergyMethod, TimelinePoint } from '@energy-bench/spec'
import { createCounterTimeline } from './counter-timeline.js'
import { createPowerTimeline } from './power-timeline.js'

/** What a driver knows about one of its domains; plain data, so that it crosses threads. */
export interface TimelineOptions {
  readonly method: EnergyMethod
  /**
   * `tick`: a counter that the device updates at its own pace; only its changes carry a time.
   * `steady`: every value is true when it is read (CPU time, or a counter updated far faster than it is polled).
   * `power`: samples of power, integrated.
   */
  readonly type: 'tick' | 'steady' | 'power'
  /** Power above this is not believed, watts. Default 2000. */
  readonly maxPowerW?: number
  /** Step of the number that the device gives, joules. Default 0.001. */
  readonly resolutionJ?: number
  /** Time over which the device averages its power samples, seconds. Default 0. */
  readonly averagingS?: number
  /** How the power samples are got, for `MeasuredEnergy.detail`. */
  readonly detail?: string
}

/** Part of a timeline, seconds; all of it without bounds. */
export interface TimelineRange {
  readonly startS?: number
  readonly endS?: number
}

/** The history of one domain, from which the energy of any past window can be told. Pure: all times are given. */
export interface Timeline {
  /** Takes what one poll, from `startS` to `endS`, said about the domain. */
  add(sample: DomainSample, startS: number, endS: number): void
  energyBetween(startS: number, endS: number): DomainEnergy
  /** True when later samples cannot change the answer about a window that ends at `timeS`. */
  reaches(timeS: number): boolean
  /** What was recorded, oldest first; the oldest entries are dropped after a million. */
  points(range?: TimelineRange): readonly TimelinePoint[]
  /** Median time between changes or samples, seconds; `undefined` before there are two. */
  tickS(): number | undefined
  /** Values that were not believed and left out. */
  rejected(): number
}

/** Makes an empty timeline of the type that the options ask for. */
export function createTimeline(options: TimelineOptions): Timeline {
  return options.type === 'power' ? createPowerTimeline(options) : createCounterTimeline(options)
}

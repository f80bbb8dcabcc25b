import type { DeviceInfo, DeviceState } from './device.js'
import type { Unavailable } from './unavailable.js'

/**
 * How a figure of energy came about: an accumulated hardware counter (reading A), sampled power integrated
 * over time (reading B), a wall plug (reading C), or an estimate from CPU time and nominal power.
 */
export type EnergyMethod = 'counter' | 'integrated-power' | 'wall' | 'model'

/** One thing whose energy is read in one way. A device read in two ways is two domains. */
export interface EnergyDomain {
  /** Stable within a meter, for example `nvml:GPU-1234:counter`. */
  readonly id: string
  /** `system` is a whole machine (RAPL psys, SMC PSTR, a wall plug): it contains the others and is never added to them. */
  readonly kind: 'gpu' | 'cpu' | 'dram' | 'ane' | 'soc' | 'system'
  readonly method: EnergyMethod
  readonly label: string
  /** Device that the domain belongs to, as in `DeviceInfo.id`. */
  readonly deviceId: string
  /** Id of the domain that already counts this one, so that totals count it once. */
  readonly partOf?: string
  /**
   * `workload`: belongs to where the work runs, so that headline figures count it. `context`: recorded beside it and
   * never summed into them. Left out: `workload`.
   */
  readonly scope?: 'workload' | 'context'
  /** What the number includes or assumes, in one sentence, where the label does not say it. */
  readonly note?: string
}

/** Power at one instant of the monotonic clock of the meter. */
export interface PowerSample {
  readonly timeS: number
  readonly powerW: number
}

/** What one poll of one domain gave. Energy is cumulative, from an arbitrary zero. */
export type DomainSample =
  | {
      readonly type: 'energy'
      readonly energyJ: number
      /**
       * When the source itself says that the value was true (published), monotonic seconds. Left out: at some moment
       * of the poll.
       */
      readonly atS?: number
    }
  | { readonly type: 'power'; readonly samples: readonly PowerSample[] }
  | Unavailable

/** One poll of a source. The values are true at some moment from `startS` to `endS` (monotonic seconds). */
export interface SourceSample {
  readonly startS: number
  readonly endS: number
  readonly domains: Readonly<Record<string, DomainSample>>
  /** Temperatures, clocks and the like; a source may leave it out of most polls. */
  readonly states?: readonly DeviceState[]
  /** What a reader of the figures should know, one sentence each. */
  readonly remarks?: readonly string[]
}

/** A driver: something that can be polled for energy. Its one verb may block; the meter calls it off the event loop. */
export interface EnergySource extends AsyncDisposable {
  readonly id: string
  readonly domains: readonly EnergyDomain[]
  readonly devices: readonly DeviceInfo[]
  sample(): Promise<SourceSample>
}

/** Energy of one domain over one window. */
export interface MeasuredEnergy {
  readonly status: 'measured'
  readonly energyJ: number
  /** Standard uncertainty of `energyJ` from the reading method alone, without the gain error of the sensor. */
  readonly uncertaintyJ: number
  readonly method: EnergyMethod
  /** How the method was carried out, for example `counter, edges interpolated`. */
  readonly detail: string
  /** Median time between two changes of the counter, or between two power samples. */
  readonly tickS: number
  /** Changes (or power samples) inside the window. */
  readonly changes: number
  /** Share of the window that was observed without a gap, 0 to 1. */
  readonly coverageRatio: number
}

export type DomainEnergy = MeasuredEnergy | Unavailable

/** What a meter says about one window. */
export interface EnergyReading {
  readonly startS: number
  readonly endS: number
  readonly durationS: number
  /** One entry a domain of the meter. */
  readonly domains: Readonly<Record<string, DomainEnergy>>
}

/**
 * One point of the history of a domain: a change of its counter (joules from an arbitrary zero), dated to within
 * `halfWidthS`, or a sample of its power.
 */
export type TimelinePoint =
  | { readonly timeS: number; readonly halfWidthS?: number; readonly energyJ: number }
  | { readonly timeS: number; readonly powerW: number }

/** A sentence that a source said about its own figures. */
export interface MeterRemark {
  readonly timeS: number
  readonly text: string
}

/** Polls its sources off the event loop and answers about any past window. */
export interface Meter extends AsyncDisposable {
  readonly specVersion: 1
  readonly domains: readonly EnergyDomain[]
  readonly devices: readonly DeviceInfo[]
  /** Why these sources were chosen, and why others were not, one sentence each. */
  readonly selection: readonly string[]
  /** Seconds on the monotonic clock that every window is given in. */
  now(): number
  /** Resolves about one tick after `endS`. A domain that could not be read is `unavailable`; the call itself rejects only after dispose. */
  energyBetween(startS: number, endS: number): Promise<EnergyReading>
  /** Device states seen from `startS` to `endS`, oldest first. */
  statesBetween(startS: number, endS: number): readonly DeviceState[]
  /** What was recorded from `startS` to `endS`, by domain, oldest first. Left out by a meter that keeps no points. */
  pointsBetween?(startS: number, endS: number): Readonly<Record<string, readonly TimelinePoint[]>>
  /** What the sources said about their own figures from `startS` to `endS`, oldest first. */
  remarksBetween?(startS: number, endS: number): readonly MeterRemark[]
}

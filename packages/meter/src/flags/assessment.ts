import type { DeviceInfo, DeviceState, EnergyDomain, EnergyReading } from '@energy-bench/spec'
import type { CombinedIdle } from '../idle/combine-idle.js'
import type { BatteryState } from './battery.js'
import type { ClockGap } from './clock-watch.js'
import type { MeterFlag } from './flag.js'

/** Everything about one window that can speak for or against its reading. */
export interface Assessment {
  /** Gross energy of the window, by domain. */
  readonly reading: EnergyReading
  readonly domains: readonly EnergyDomain[]
  readonly devices: readonly DeviceInfo[]
  /** Device states of the window, oldest first. */
  readonly states: readonly DeviceState[]
  /** Idle power from before and after, where it was measured. */
  readonly idle?: CombinedIdle
  /** What the clocks of the machine did meanwhile, from `createClockWatch`. */
  readonly clocks?: ClockGap
  /**
   * Wall clock time that passed less monotonic time, seconds; for who has no `clocks`. It cannot tell sleep from a clock
   * that was set forward.
   */
  readonly wallClockDriftS?: number
  readonly battery?: BatteryState
  /** Processes that are part of the measurement: this one, and the engine. Without it no process is foreign. */
  readonly ownProcessIds?: readonly number[]
}

/** One question asked of a reading. */
export type FlagCheck = (assessment: Assessment) => MeterFlag | undefined

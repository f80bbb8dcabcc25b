import type { SourceSample } from '@energy-bench/spec'
import type { RailState } from './cadence.js'

/** What this driver adds to the spec, all of it optional there: code that does not know it stays right. */

/** Cumulative energy with the time at which the device published it, where the device tells. */
export interface StampedEnergy {
  readonly type: 'energy'
  readonly energyJ: number
  /** Monotonic seconds; without it the value is true at some moment of the poll. */
  readonly atS?: number
}

/** One poll with what the driver noticed about its own channels. */
export interface AppleSample extends SourceSample {
  /** How each rail is published, by domain id. */
  readonly rails: Readonly<Record<string, RailState>>
  /** What a reader of the figures should know, one sentence each; empty when all is well. */
  readonly remarks: readonly string[]
}

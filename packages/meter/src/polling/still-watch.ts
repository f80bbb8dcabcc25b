import { type DomainSample, type Unavailable, unavailable } from '@energy-bench/spec'
import type { TimelineOptions } from '../timeline/timeline.js'

/** Tells a counter that has stopped from one whose next change is still to come. */
export interface StillWatch {
  /** Takes what a poll that ended at `timeS` said. */
  add(value: DomainSample, timeS: number): void
  /** Set while the counter stands although it is read. */
  why(): Unavailable | undefined
}

/** The slowest counter of a device publishes every 2.2 s; one that stands for longer than twice that has stopped, seconds. */
const STILL_S = 5

/** Watches one domain. A plug may count in steps that take minutes, and samples of power do not stand. */
export function createStillWatch({ method, type }: TimelineOptions): StillWatch {
  const canStand = method === 'counter' && type === 'tick'
  let last: { readonly energyJ: number; readonly atS: number | undefined } | undefined
  let sinceS = 0
  let readS = 0
  return {
    add(value, timeS) {
      if ('status' in value || value.type !== 'energy') {
        last = undefined
        return
      }
      const { energyJ, atS } = value
      if (last === undefined || last.energyJ !== energyJ || last.atS !== atS) sinceS = timeS
      last = { energyJ, atS }
      readS = timeS
    },
    why() {
      const stoodS = readS - sinceS
      if (!canStand || last === undefined || stoodS <= STILL_S) return undefined
      return unavailable(
        'stalled',
        `the counter has stood at ${last.energyJ} J for ${stoodS.toFixed(1)} s, while it was read`,
        'Use the integrated power of the device; a restart of the machine may set the counter going.',
      )
    },
  }
}

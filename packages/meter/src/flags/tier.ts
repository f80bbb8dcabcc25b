import { isUnavailable } from '@energy-bench/spec'
import { primaryMethod, totalByMethod } from '../totals.js'
import type { MeterFlag } from './flag.js'
import { agreementOf, deviceEnergy, type ReadDomains, wallEnergy } from './readings.js'

/** How far a measurement can be trusted, from A to D. */
export type Tier = 'A' | 'B' | 'C' | 'D'

/** What the tier is computed from. Give net energies: only those of device and wall are comparable. */
export interface TierFacts extends ReadDomains {
  readonly repetitions: number
  /** Flags of this meter, and those of whoever measured with it. */
  readonly flags: readonly Pick<MeterFlag, 'name'>[]
}

/** A plug also counts power supply, memory and fans: it reads the same as the device, up to about twice as much. */
const WALL_RATIO = { least: 0.95, most: 2 }
const REPETITIONS_FOR_A = 3

/**
 * A when counter and integration agree within 5 %, a wall reading agrees, there are three repetitions or more and no
 * flag; B with two of the three readings; C with one; D for an estimate; `undefined` without any reading.
 */
export function tierOf(facts: TierFacts): Tier | undefined {
  const totals = totalByMethod(facts.reading, facts.domains)
  const wall = wallEnergy(facts)
  const readings = [totals.counter, totals['integrated-power'], wall].filter(
    (total) => total !== undefined && !isUnavailable(total),
  )
  if (readings.length === 0) return primaryMethod(totals) === 'model' ? 'D' : undefined
  if (readings.length === 1) return 'C'
  const isProven = facts.repetitions >= REPETITIONS_FOR_A && facts.flags.length === 0
  const doAgree = agreementOf(facts)?.agrees === true && doesWallAgree(facts)
  return isProven && doAgree ? 'A' : 'B'
}

function doesWallAgree(facts: ReadDomains): boolean {
  const [device, wall] = [deviceEnergy(facts), wallEnergy(facts)]
  if (device === undefined || wall === undefined || device.energyJ <= 0) return false
  const ratio = wall.energyJ / device.energyJ
  return ratio >= WALL_RATIO.least && ratio <= WALL_RATIO.most
}

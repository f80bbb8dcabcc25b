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
/** A plug of 1 Hz is read this often, seconds: the way to it and back takes some time too. */
const MAX_WALL_TICK_S = 1.5
const MIN_REPETITIONS = 3

/**
 * A when counter and integration agree within 5 % and a wall reading of 1 Hz or faster agrees with them, B when two of
 * the three agree; both also need three repetitions and no flag. C for one reading that may be quoted, D for an estimate,
 * `undefined` without any reading.
 */
export function tierOf(facts: TierFacts): Tier | undefined {
  const totals = totalByMethod(facts.reading, facts.domains)
  const wall = wallEnergy(facts)
  if (deviceEnergy(facts) === undefined && wall === undefined) {
    return primaryMethod(totals) === 'model' ? 'D' : undefined
  }
  if (facts.repetitions < MIN_REPETITIONS || facts.flags.length > 0) return 'C'
  return tierOfAgreement(facts)
}

function tierOfAgreement(facts: TierFacts): Tier {
  const doDevicesAgree = agreementOf(facts)?.agrees === true
  const doesWallAgree = agreesWithWall(facts)
  const isWallQuick = (wallEnergy(facts)?.tickS ?? 0) <= MAX_WALL_TICK_S
  if (doDevicesAgree && doesWallAgree && isWallQuick) return 'A'
  return doDevicesAgree || doesWallAgree ? 'B' : 'C'
}

function agreesWithWall(facts: ReadDomains): boolean {
  const [device, wall] = [deviceEnergy(facts), wallEnergy(facts)]
  if (device === undefined || wall === undefined || device.energyJ <= 0) return false
  const ratio = wall.energyJ / device.energyJ
  return ratio >= WALL_RATIO.least && ratio <= WALL_RATIO.most
}

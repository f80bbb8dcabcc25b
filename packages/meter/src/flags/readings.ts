import {
  type EnergyDomain,
  type EnergyMethod,
  type EnergyReading,
  isUnavailable,
} from '@energy-bench/spec'
import { countedDomains, type TotalEnergy, totalByMethod } from '../totals.js'

/** A reading and the domains that it is of. */
export interface ReadDomains {
  readonly reading: EnergyReading
  readonly domains: readonly EnergyDomain[]
}

/** How the counter and the integrated power of the same devices compare. */
export interface Agreement {
  /** (integrated - counter) / counter. */
  readonly driftRatio: number
  readonly agrees: boolean
}

/** Two readings of one thing may differ by this much in any case. */
const MAX_DRIFT = 0.05
/** Inside that, they may differ by so many combined uncertainties, or by what good readings of one sensor differ. */
const MAX_UNCERTAINTIES = 3
const SENSOR_RATIO = 0.02

/** The domains that a figure can rest on: those that count, and a plug, which is the third reading whatever its scope. */
export function relevantDomains(domains: readonly EnergyDomain[]): readonly EnergyDomain[] {
  const counted = countedDomains(domains)
  return domains.filter(
    (domain) =>
      counted.includes(domain) || (domain.method === 'wall' && domain.partOf === undefined),
  )
}

/** The devices of these domains. */
export function relevantDeviceIds(domains: readonly EnergyDomain[]): readonly string[] {
  return [...new Set(relevantDomains(domains).map(({ deviceId }) => deviceId))]
}

/** Compares reading A with reading B; `undefined` where one of them is missing. */
export function agreementOf(parts: ReadDomains): Agreement | undefined {
  const counter = totalOf(parts, 'counter')
  const integrated = totalOf(parts, 'integrated-power')
  if (counter === undefined || integrated === undefined || counter.energyJ === 0) return undefined
  const differenceJ = Math.abs(integrated.energyJ - counter.energyJ)
  const combinedJ = Math.hypot(counter.uncertaintyJ, integrated.uncertaintyJ)
  const allowedJ = Math.max(MAX_UNCERTAINTIES * combinedJ, SENSOR_RATIO * counter.energyJ)
  const driftRatio = (integrated.energyJ - counter.energyJ) / counter.energyJ
  return { driftRatio, agrees: Math.abs(driftRatio) <= MAX_DRIFT && differenceJ <= allowedJ }
}

/** Energy of the devices of the workload, read at the device: the counter, else integrated power. */
export function deviceEnergy(parts: ReadDomains): TotalEnergy | undefined {
  return totalOf(parts, 'counter') ?? totalOf(parts, 'integrated-power')
}

/** Energy at the wall. A plug is context beside a device and yet the third reading, so its scope does not matter. */
export function wallEnergy({ reading, domains }: ReadDomains): TotalEnergy | undefined {
  const plugs = domains
    .filter(({ method }) => method === 'wall')
    .map((domain): EnergyDomain => ({ ...domain, scope: 'workload' }))
  return totalOf({ reading, domains: plugs }, 'wall')
}

function totalOf({ reading, domains }: ReadDomains, method: EnergyMethod): TotalEnergy | undefined {
  const total = totalByMethod(reading, domains)[method]
  return total === undefined || isUnavailable(total) ? undefined : total
}

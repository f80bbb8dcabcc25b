import {
  type EnergyDomain,
  type EnergyMethod,
  type EnergyReading,
  isUnavailable,
  type MeasuredEnergy,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'

/** Energy of all devices together, read in one way. */
export type TotalEnergy = Pick<
  MeasuredEnergy,
  'status' | 'energyJ' | 'uncertaintyJ' | 'tickS' | 'coverageRatio'
>

/** One total a method. They are never added or averaged: they tell the same energy in different ways. */
export type MethodTotals = Readonly<Partial<Record<EnergyMethod, TotalEnergy | Unavailable>>>

/** The most direct way of reading a device first, the estimate last. */
const preference: readonly EnergyMethod[] = ['counter', 'integrated-power', 'wall', 'model']

/** Sums the domains of each method. A domain that is part of another is left out; one that is unavailable spoils its total. */
export function totalByMethod(
  reading: EnergyReading,
  domains: readonly EnergyDomain[],
): MethodTotals {
  const totals: Partial<Record<EnergyMethod, TotalEnergy | Unavailable>> = {}
  for (const domain of domains) {
    if (domain.partOf !== undefined) continue
    const energy = reading.domains[domain.id] ?? unavailable('no-data', `${domain.id} was not read`)
    const sum = totals[domain.method]
    totals[domain.method] = sum === undefined ? energy : addEnergy(sum, energy)
  }
  return totals
}

/** The best method that gave a number: counter, integrated power, wall, model. Else the reason of the best there is. */
export function primaryMethod(totals: MethodTotals): EnergyMethod | Unavailable {
  const present = preference.filter((method) => totals[method] !== undefined)
  const measured = present.find((method) => !isUnavailable(totals[method]))
  if (measured !== undefined) return measured
  const reasons = present.map((method) => totals[method]).filter(isUnavailable)
  return reasons[0] ?? unavailable('no-data', 'the meter has no domain')
}

function addEnergy(
  sum: TotalEnergy | Unavailable,
  energy: TotalEnergy | Unavailable,
): TotalEnergy | Unavailable {
  if (isUnavailable(sum)) return sum
  if (isUnavailable(energy)) return energy
  return {
    status: 'measured',
    energyJ: sum.energyJ + energy.energyJ,
    uncertaintyJ: Math.hypot(sum.uncertaintyJ, energy.uncertaintyJ),
    tickS: Math.max(sum.tickS, energy.tickS),
    coverageRatio: Math.min(sum.coverageRatio, energy.coverageRatio),
  }
}

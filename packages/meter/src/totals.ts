import {
  type EnergyDomain,
  type EnergyMethod,
  type EnergyReading,
  isUnavailable,
  type MeasuredEnergy,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'

/** Energy of all devices of the workload together, read in one way. */
export type TotalEnergy = Pick<
  MeasuredEnergy,
  'status' | 'energyJ' | 'uncertaintyJ' | 'tickS' | 'coverageRatio'
> & {
  /** The domains that were summed. */
  readonly domainIds: readonly string[]
}

/** One total a method. They are never added or averaged: they tell the same energy in different ways. */
export type MethodTotals = Readonly<Partial<Record<EnergyMethod, TotalEnergy | Unavailable>>>

/** The most direct way of reading a device first, the estimate last. */
const preference: readonly EnergyMethod[] = ['counter', 'integrated-power', 'wall', 'model']

/**
 * Sums the domains of each method that belong to the workload. Left out are parts of others, domains that are only
 * context, and a whole system beside its parts. A domain that is unavailable spoils its total, and so does a device that
 * is only read in another way: the total would be too small.
 */
export function totalByMethod(
  reading: EnergyReading,
  domains: readonly EnergyDomain[],
): MethodTotals {
  const counted = countedDomains(domains)
  const totals: Partial<Record<EnergyMethod, TotalEnergy | Unavailable>> = {}
  for (const method of preference) {
    const energies = counted
      .filter((domain) => domain.method === method)
      .map(({ id }) => energyOf(reading, id))
    if (energies.length === 0) continue
    totals[method] = whyIncomplete(counted, method) ?? energies.reduce(addEnergy)
  }
  return totals
}

/** The methods that read a device by itself; what they say of several devices can only be compared of all of them. */
const AT_DEVICE: readonly EnergyMethod[] = ['counter', 'integrated-power']

function whyIncomplete(
  counted: readonly EnergyDomain[],
  method: EnergyMethod,
): Unavailable | undefined {
  if (!AT_DEVICE.includes(method)) return undefined
  const covered = counted.filter((one) => one.method === method).map(({ deviceId }) => deviceId)
  const missing = counted.find(
    (one) => AT_DEVICE.includes(one.method) && !covered.includes(one.deviceId),
  )
  if (missing === undefined) return undefined
  return unavailable(
    'not-supported',
    `${missing.deviceId} has no reading by ${method}, and a total would leave it out`,
  )
}

/** The domains that headline figures count. */
export function countedDomains(domains: readonly EnergyDomain[]): readonly EnergyDomain[] {
  const own = domains.filter(
    ({ partOf, scope = 'workload' }) => partOf === undefined && scope === 'workload',
  )
  const hasParts = (method: EnergyMethod): boolean =>
    own.some((domain) => domain.method === method && domain.kind !== 'system')
  return own.filter(({ kind, method }) => kind !== 'system' || !hasParts(method))
}

/** The best method that gave a number: counter, integrated power, wall, model. Else the reason of the best there is. */
export function primaryMethod(
  totals: Readonly<Partial<Record<EnergyMethod, MeasuredEnergy | TotalEnergy | Unavailable>>>,
): EnergyMethod | Unavailable {
  const present = preference.filter((method) => totals[method] !== undefined)
  const measured = present.find((method) => !isUnavailable(totals[method]))
  if (measured !== undefined) return measured
  const reasons = present.map((method) => totals[method]).filter(isUnavailable)
  return reasons[0] ?? unavailable('no-data', 'the meter has no domain that counts')
}

function energyOf(reading: EnergyReading, id: string): TotalEnergy | Unavailable {
  const energy = reading.domains[id] ?? unavailable('no-data', `${id} was not read`)
  if (isUnavailable(energy)) return energy
  const { status, energyJ, uncertaintyJ, tickS, coverageRatio } = energy
  return { status, energyJ, uncertaintyJ, tickS, coverageRatio, domainIds: [id] }
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
    domainIds: [...sum.domainIds, ...energy.domainIds],
  }
}

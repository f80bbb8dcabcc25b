import {
  combineIdle,
  type IdleBaseline,
  netEnergy,
  primaryMethod,
  totalByMethod,
} from '@energy-bench/meter'
import type {
  EnergyDomain,
  EnergyMethod,
  EnergyReading,
  MeasuredEnergy,
  Unavailable,
} from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import type { Energy, Power } from './report/types.js'

// The sums of the meter package work on readings by domain. A report keeps totals by method, also across a resume, so
// here a total is dressed up as a reading where one of those sums is needed.

/** A value for each method that the meter has. */
export type ByMethod<Value> = Readonly<Partial<Record<EnergyMethod, Value>>>

/** Gross energy of a window by method, joules, and the tick of the primary method in seconds. */
export interface WindowEnergy {
  readonly energy: ByMethod<Energy | Unavailable>
  readonly tickS: number | null
}

/** The domains of each method together, each counted once. */
export function windowEnergy(
  reading: EnergyReading,
  domains: readonly EnergyDomain[],
): WindowEnergy {
  const totals = totalByMethod(reading, domains)
  const primary = primaryMethod(totals)
  const best = isUnavailable(primary) ? undefined : totals[primary]
  return {
    energy: mapValues(totals, (total) => (isUnavailable(total) ? total : toEnergy(total))),
    tickS: best === undefined || isUnavailable(best) ? null : best.tickS,
  }
}

/** The most direct method that has a number; null when none has. */
export function primaryOf(energy: ByMethod<Energy | Unavailable>): EnergyMethod | null {
  const primary = primaryMethod(mapValues(energy, (total) => asMeasured(total)))
  return isUnavailable(primary) ? null : primary
}

/** Idle power by method in watts: the domains of each method together, over one second. */
export function powerByMethod(
  { domains: powers }: IdleBaseline,
  domains: readonly EnergyDomain[],
): ByMethod<Power | Unavailable> {
  const entries = domains.map(({ id }) => {
    const power = powers[id] ?? unavailable('no-data', `There is no idle power for ${id}.`)
    return [id, isUnavailable(power) ? power : asMeasured(energyOfOneSecond(power))]
  })
  const totals = totalByMethod(readingOf(Object.fromEntries(entries), 1), domains)
  return mapValues(totals, (total) => (isUnavailable(total) ? total : powerOfOneSecond(total)))
}

/** Gross minus idle power times duration, joules. May be negative. */
export function netOf(gross: Energy, idle: Power, durationS: number): Energy | Unavailable {
  const baseline = { startS: 0, endS: durationS, domains: { total: idle } }
  const net = netEnergy(readingOf({ total: asMeasured(gross) }, durationS), baseline)
  const total = net.domains.total ?? unavailable('no-data', 'There is no net energy.')
  return isUnavailable(total) ? total : toEnergy(total)
}

/** The mean of the two idle windows of a session, or the one that was measured. */
export function idleBetween(
  before: IdleBaseline | null,
  after: IdleBaseline | null,
): IdleBaseline | null {
  return before === null || after === null ? (before ?? after) : combineIdle(before, after).baseline
}

function readingOf(domains: EnergyReading['domains'], durationS: number): EnergyReading {
  return { startS: 0, endS: durationS, durationS, domains }
}

function asMeasured(total: Energy | Unavailable): MeasuredEnergy | Unavailable {
  if (isUnavailable(total)) return total
  return {
    status: 'measured',
    energyJ: total.energyJ,
    uncertaintyJ: total.uncertaintyJ,
    method: 'counter',
    detail: 'a total',
    tickS: 0,
    changes: 0,
    coverageRatio: 1,
  }
}

function toEnergy({ energyJ, uncertaintyJ }: Energy): Energy {
  return { energyJ, uncertaintyJ }
}

function energyOfOneSecond({ powerW, uncertaintyW }: Power): Energy {
  return { energyJ: powerW, uncertaintyJ: uncertaintyW }
}

function powerOfOneSecond({ energyJ, uncertaintyJ }: Energy): Power {
  return { powerW: energyJ, uncertaintyW: uncertaintyJ }
}

function mapValues<From, To>(values: ByMethod<From>, map: (value: From) => To): ByMethod<To> {
  return Object.fromEntries(Object.entries(values).map(([method, value]) => [method, map(value)]))
}

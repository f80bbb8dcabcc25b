import type { EnergyDomain, EnergyMethod, Unavailable } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import { type ByMethod, idleBetween, netOf, powerByMethod } from './meter-sums.js'
import type { Energy, ItemRecord, Power } from './report/types.js'
import type { SessionIdle } from './run/session.js'

export type Accounting = 'net' | 'gross'

/** Answers what one item cost, in either accounting, by any method. */
export interface EnergyLedger {
  idlePower(session: string, method: EnergyMethod): Power | Unavailable
  energyOf(record: ItemRecord, accounting: Accounting, method: EnergyMethod): Energy | Unavailable
}

/** A ledger over the idle windows of all sessions: an item is charged the idle power of its own session. */
export function createEnergyLedger(
  idle: ReadonlyMap<string, SessionIdle>,
  domains: readonly EnergyDomain[],
): EnergyLedger {
  const powers = new Map([...idle].map(([session, part]) => [session, sessionPower(part, domains)]))
  const idlePower = (session: string, method: EnergyMethod) =>
    powers.get(session)?.[method] ?? unavailable('no-data', 'Idle power was not measured.')
  return {
    idlePower,
    energyOf(record, accounting, method) {
      const gross = record.energy[method] ?? unavailable('no-data', `Nothing read by ${method}.`)
      if (accounting === 'gross' || isUnavailable(gross)) return gross
      const power = idlePower(record.session, method)
      return isUnavailable(power) ? power : netOf(gross, power, record.durationS)
    },
  }
}

function sessionPower(
  part: SessionIdle,
  domains: readonly EnergyDomain[],
): ByMethod<Power | Unavailable> {
  const baseline = idleBetween(part.before, part.after)
  return baseline === null ? {} : powerByMethod(baseline, domains)
}

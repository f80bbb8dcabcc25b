import type { EnergyMethod, Unavailable } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import { sum } from '@energy-bench/stats'
import type { Accounting } from '../energy-ledger.js'
import type { Facts } from './facts.js'
import type { Energy, Readings } from './types.js'

/** What each method read over all items of all repetitions. Never averaged with each other. */
export function readingsOf(facts: Facts): Readings {
  const counter = readingBy(facts, 'counter')
  const integrated = readingBy(facts, 'integrated-power')
  return {
    counter,
    'integrated-power': integrated,
    wall: readingBy(facts, 'wall'),
    model: readingBy(facts, 'model'),
    driftRatio: driftOf(counter, integrated),
  }
}

type Reading = Readings['counter']

function readingBy(facts: Facts, method: EnergyMethod): Reading {
  if (!facts.run.plan.meter.domains.some((domain) => domain.method === method)) {
    return unavailable('no-device', `This meter has no domain that is read by ${method}.`)
  }
  const grossJ = totalBy(facts, method, 'gross')
  if (isUnavailable(grossJ)) return grossJ
  return { status: 'measured', grossJ, netJ: totalBy(facts, method, 'net') }
}

function totalBy(facts: Facts, method: EnergyMethod, accounting: Accounting): Energy | Unavailable {
  const energies = facts.records.map((record) => facts.ledger.energyOf(record, accounting, method))
  const missing = energies.find((energy) => isUnavailable(energy))
  if (missing !== undefined && isUnavailable(missing)) return missing
  const known = energies.flatMap((energy) => (isUnavailable(energy) ? [] : [energy]))
  return {
    energyJ: sum(known.map((energy) => energy.energyJ)),
    uncertaintyJ: totalUncertainty(facts, method, accounting),
  }
}

/** Readings of single items err independently; the idle power of a session errs alike for all its items. */
function totalUncertainty(
  { records, ledger }: Facts,
  method: EnergyMethod,
  accounting: Accounting,
) {
  const squares = records.flatMap((record) => {
    const gross = ledger.energyOf(record, 'gross', method)
    return isUnavailable(gross) ? [] : [gross.uncertaintyJ ** 2]
  })
  if (accounting === 'gross') return Math.sqrt(sum(squares))
  const idleParts = records.flatMap((record) => {
    const power = ledger.idlePower(record.session, method)
    return isUnavailable(power) ? [] : [power.uncertaintyW * record.durationS]
  })
  return Math.hypot(Math.sqrt(sum(squares)), sum(idleParts))
}

function driftOf(counter: Reading, integrated: Reading): number | null {
  if (isUnavailable(counter) || isUnavailable(integrated)) return null
  const counterJ = counter.grossJ.energyJ
  return counterJ === 0 ? null : (integrated.grossJ.energyJ - counterJ) / counterJ
}

import type { IdleBaseline } from '@energy-bench/meter'
import type { EnergyMethod, Unavailable } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import { mean } from '@energy-bench/stats'
import { type ByMethod, powerByMethod } from '../meter-sums.js'
import type { Facts } from './facts.js'
import type { Idle, Power } from './types.js'

/** Idle power by the primary method: the first window before, the last one after, and the mean over sessions. */
export function idleOf(facts: Facts): Idle {
  const { method, run, sessions, ledger } = facts
  const { domains } = run.plan.meter
  const byMethod = (baseline: IdleBaseline | null) =>
    baseline === null ? null : powerByMethod(baseline, domains)
  const details = sessions.map(({ session, before, after }) => ({
    session,
    before: byMethod(before),
    after: byMethod(after),
    ...(before?.devices === undefined ? {} : { devicesBefore: before.devices }),
    ...(after?.devices === undefined ? {} : { devicesAfter: after.devices }),
  }))
  const before = pick(details[0]?.before ?? null, method)
  const after = pick(details.at(-1)?.after ?? null, method)
  const powers = sessions.map(({ session }) =>
    method === null ? noMethod() : ledger.idlePower(session, method),
  )
  return {
    before,
    after,
    ...meanPower(powers),
    driftRatio: drift(before, after),
    sessions: details,
  }
}

function noMethod(): Unavailable {
  return unavailable('no-device', 'This meter has no domain.')
}

function pick(
  powers: ByMethod<Power | Unavailable> | null,
  method: EnergyMethod | null,
): Power | Unavailable | null {
  return powers === null || method === null ? null : (powers[method] ?? null)
}

function meanPower(
  powers: readonly (Power | Unavailable)[],
): Pick<Idle, 'powerW' | 'uncertaintyW'> {
  const missing = powers.find((power) => isUnavailable(power))
  if (missing !== undefined && isUnavailable(missing)) {
    return { powerW: missing, uncertaintyW: missing }
  }
  const known = powers.flatMap((power) => (isUnavailable(power) ? [] : [power]))
  if (known.length === 0) {
    const nothing = unavailable('no-data', 'Idle power was not measured.')
    return { powerW: nothing, uncertaintyW: nothing }
  }
  return {
    powerW: mean(known.map((power) => power.powerW)),
    uncertaintyW: Math.max(...known.map((power) => power.uncertaintyW)),
  }
}

function drift(before: Power | Unavailable | null, after: Power | Unavailable | null) {
  if (before === null || after === null) return null
  if (isUnavailable(before) || isUnavailable(after) || before.powerW === 0) return null
  return (after.powerW - before.powerW) / before.powerW
}

import { isUnavailable } from '@energy-bench/spec'
import { netEnergy } from '../idle/net-energy.js'
import { primaryMethod, totalByMethod } from '../totals.js'
import type { FlagCheck } from './assessment.js'
import { percent } from './flag.js'
import { relevantDomains } from './readings.js'

/** Below this share of net in gross, an error of the idle power weighs five times or more. */
const MIN_NET_SHARE = 0.2

const idleDrift: FlagCheck = ({ idle, domains }) => {
  if (idle === undefined) return undefined
  const ids = relevantDomains(domains).map(({ id }) => id)
  const drifted = idle.drifted.filter((id) => ids.includes(id))
  if (drifted.length === 0) return undefined
  const told = drifted.map((id) => {
    const ratio = idle.driftRatio[id]
    return ratio === undefined || isUnavailable(ratio) ? id : `${id} by ${percent(ratio)}`
  })
  return {
    name: 'idle-drift',
    severity: 'warning',
    cause: `Idle power was not the same before and after: ${told.join(', ')}.`,
    fix: 'Close other programs, let the machine warm up, and measure again.',
  }
}

const idleDominated: FlagCheck = ({ reading, domains, idle }) => {
  if (idle === undefined) return undefined
  const gross = totalByMethod(reading, domains)
  const method = primaryMethod(gross)
  if (isUnavailable(method)) return undefined
  const netTotal = totalByMethod(netEnergy(reading, idle.baseline), domains)[method]
  const grossTotal = gross[method]
  if (netTotal === undefined || grossTotal === undefined) return undefined
  if (isUnavailable(netTotal) || isUnavailable(grossTotal)) return undefined
  if (grossTotal.energyJ <= 0) return undefined
  const share = netTotal.energyJ / grossTotal.energyJ
  if (share >= MIN_NET_SHARE) return undefined
  return {
    name: 'idle-dominated',
    severity: 'warning',
    cause: `Net energy is ${percent(share)} of gross: idle power decides the result.`,
    fix: 'Quote gross energy, or measure the idle power for longer.',
  }
}

/** Checks of the idle power. */
export const idleChecks = [idleDrift, idleDominated]

import { type EnergyDomain, isUnavailable, type UnavailableReason } from '@energy-bench/spec'
import type { Assessment, FlagCheck } from './assessment.js'

/** A device that draws this much has a counter that moves, watts. */
const LOAD_W = 5

const counterReset: FlagCheck = (assessment) => {
  const lost = withReason(assessment, 'counter-reset')
  if (lost === undefined) return undefined
  return {
    name: 'counter-reset',
    severity: 'invalid',
    cause: `A counter began anew inside the window: ${lost}.`,
    fix: 'Keep the driver loaded (persistence mode) and measure again.',
  }
}

const deviceLost: FlagCheck = (assessment) => {
  const lost = withReason(assessment, 'device-lost')
  if (lost === undefined) return undefined
  return {
    name: 'device-lost',
    severity: 'invalid',
    cause: `A device went away inside the window: ${lost}.`,
    fix: 'Look into the log of the system, and measure again.',
  }
}

const frozenCounter: FlagCheck = (assessment) => {
  const stalled = withReason(assessment, 'stalled')
  const frozen = stalled ?? assessment.domains.find((one) => isFrozen(assessment, one))?.id
  if (frozen === undefined) return undefined
  return {
    name: 'frozen-counter',
    severity: 'invalid',
    cause: `A counter stands still although its device works: ${frozen}.`,
    fix: 'Use the other reading of the device; a restart of the machine often helps.',
  }
}

/** A counter without gain, while another reading of its device shows power. */
function isFrozen({ reading, domains }: Assessment, domain: EnergyDomain): boolean {
  const energy = reading.domains[domain.id]
  if (domain.method !== 'counter' || energy === undefined || isUnavailable(energy)) return false
  if (energy.energyJ !== 0) return false
  return domains.some(({ id, deviceId, kind, method }) => {
    const other = reading.domains[id]
    const isOther = deviceId === domain.deviceId && kind === domain.kind && method !== 'counter'
    if (!isOther || other === undefined || isUnavailable(other)) return false
    return other.energyJ / reading.durationS > LOAD_W
  })
}

function withReason(
  { reading, domains }: Assessment,
  reason: UnavailableReason,
): string | undefined {
  const found = domains.flatMap(({ id }) => {
    const energy = reading.domains[id]
    return energy !== undefined && isUnavailable(energy) && energy.reason === reason
      ? [`${id}: ${energy.detail}`]
      : []
  })
  return found.length === 0 ? undefined : found.join('; ')
}

/** Checks of what the domains said of themselves. */
export const readingChecks = [counterReset, deviceLost, frozenCounter]

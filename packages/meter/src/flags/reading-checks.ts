import { type EnergyDomain, isUnavailable, type UnavailableReason } from '@energy-bench/spec'
import type { Assessment, FlagCheck } from './assessment.js'
import type { MeterFlag } from './flag.js'
import { deviceEnergy, relevantDomains } from './readings.js'

/** A device that draws this much has a counter that moves, watts. */
const LOAD_W = 5

const counterReset: FlagCheck = (assessment) => {
  const lost = withReason(assessment, 'counter-reset')
  if (lost.length === 0) return undefined
  return {
    name: 'counter-reset',
    severity: severityOf(assessment, lost),
    cause: `A counter began anew inside the window: ${told(assessment, lost)}.`,
    fix: 'Keep the driver loaded (persistence mode) and measure again.',
  }
}

const deviceLost: FlagCheck = (assessment) => {
  const lost = withReason(assessment, 'device-lost')
  if (lost.length === 0) return undefined
  return {
    name: 'device-lost',
    severity: severityOf(assessment, lost),
    cause: `A device went away inside the window: ${told(assessment, lost)}.`,
    fix: 'Look into the log of the system, and measure again.',
  }
}

const frozenCounter: FlagCheck = (assessment) => {
  const stalled = withReason(assessment, 'stalled').filter((one) => !isResting(assessment, one))
  const frozen = relevantDomains(assessment.domains).filter((one) => isFrozen(assessment, one))
  if (stalled.length + frozen.length === 0) return undefined
  const names = [told(assessment, stalled), ...frozen.map(({ id }) => id)].filter(Boolean)
  // A counter that reads 0 J is the figure itself; one that says that it stands leaves it to the other reading.
  const isReplaced = frozen.length === 0 && deviceEnergy(assessment) !== undefined
  return {
    name: 'frozen-counter',
    severity: isReplaced ? 'warning' : 'invalid',
    cause: `A counter stands still although its device works: ${names.join('; ')}.`,
    fix: 'Use the other reading of the device; a restart of the machine often helps.',
  }
}

/** A plug that fails beside a device that was read leaves the figure of the device as it is. */
function severityOf(
  assessment: Assessment,
  affected: readonly EnergyDomain[],
): MeterFlag['severity'] {
  const isPlug = affected.every(({ method }) => method === 'wall')
  return isPlug && deviceEnergy(assessment) !== undefined ? 'warning' : 'invalid'
}

/** A counter without gain, while another reading of its device shows power. */
function isFrozen(assessment: Assessment, domain: EnergyDomain): boolean {
  const energy = assessment.reading.domains[domain.id]
  if (domain.method !== 'counter' || energy === undefined || isUnavailable(energy)) return false
  return energy.energyJ === 0 && otherPowersW(assessment, domain).some((powerW) => powerW > LOAD_W)
}

/** A counter that stands because its device, by its other reading, draws nothing. */
function isResting(assessment: Assessment, domain: EnergyDomain): boolean {
  const powersW = otherPowersW(assessment, domain)
  return powersW.length > 0 && powersW.every((powerW) => powerW <= LOAD_W)
}

/** What the other readings of the same device say, watts. */
function otherPowersW({ reading, domains }: Assessment, domain: EnergyDomain): readonly number[] {
  return domains.flatMap(({ id, deviceId, kind, method }) => {
    const other = reading.domains[id]
    const isOther = deviceId === domain.deviceId && kind === domain.kind && method !== 'counter'
    if (!isOther || other === undefined || isUnavailable(other)) return []
    return [other.energyJ / reading.durationS]
  })
}

function withReason(
  { reading, domains }: Assessment,
  reason: UnavailableReason,
): readonly EnergyDomain[] {
  return relevantDomains(domains).filter(({ id }) => {
    const energy = reading.domains[id]
    return energy !== undefined && isUnavailable(energy) && energy.reason === reason
  })
}

function told({ reading }: Assessment, domains: readonly EnergyDomain[]): string {
  const texts = domains.map(({ id }) => {
    const energy = reading.domains[id]
    return energy !== undefined && isUnavailable(energy) ? `${id}: ${energy.detail}` : id
  })
  return texts.join('; ')
}

/** Checks of what the domains said of themselves. */
export const readingChecks = [counterReset, deviceLost, frozenCounter]

import type { Assessment, FlagCheck } from './assessment.js'
import { clockChecks } from './clock-checks.js'
import { deviceChecks } from './device-checks.js'
import { energyChecks } from './energy-checks.js'
import type { MeterFlag } from './flag.js'
import { idleChecks } from './idle-checks.js'
import { readingChecks } from './reading-checks.js'

/**
 * Everything that a reader must know before quoting a reading. Pure: nothing is measured here.
 *
 * @example
 * const flags = assessReading({ reading, domains: meter.domains, devices: meter.devices, states })
 * if (flags.some((flag) => flag.severity === 'invalid')) throw new Error(flags[0]?.cause)
 */
export function assessReading(assessment: Assessment): readonly MeterFlag[] {
  const checks: readonly FlagCheck[] = [
    ...clockChecks,
    ...energyChecks,
    ...readingChecks,
    ...deviceChecks,
    ...idleChecks,
  ]
  return checks.flatMap((check) => check(assessment) ?? [])
}

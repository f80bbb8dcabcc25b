import { isUnavailable, type MeasuredEnergy } from '@energy-bench/spec'
import { primaryMethod, totalByMethod } from '../totals.js'
import type { Assessment, FlagCheck } from './assessment.js'
import { percent } from './flag.js'
import { agreementOf, deviceEnergy, relevantDomains, wallEnergy } from './readings.js'

/** A plug may read so much too low by its class; below that the ratio is impossible. */
const WALL_TOLERANCE = 0.02
/** A window needs so many ticks, and so many seconds, for a steady figure. */
const MIN_TICKS = 200
const MIN_DURATION_S = 20

const wallBelowDevice: FlagCheck = (assessment) => {
  const device = deviceEnergy(assessment)
  const wall = wallEnergy(assessment)
  if (device === undefined || wall === undefined) return undefined
  const slackJ = 2 * Math.hypot(device.uncertaintyJ, wall.uncertaintyJ)
  if (wall.energyJ + slackJ >= (1 - WALL_TOLERANCE) * device.energyJ) return undefined
  return {
    name: 'wall-below-device',
    severity: 'invalid',
    cause: `The wall plug counted ${wall.energyJ.toFixed(0)} J, the devices behind it ${device.energyJ.toFixed(0)} J.`,
    fix: 'Check that the machine hangs on this plug, with all its supplies, and that the plug is calibrated.',
  }
}

const readingsDisagree: FlagCheck = (assessment) => {
  const agreement = agreementOf(assessment)
  if (agreement === undefined || agreement.agrees) return undefined
  return {
    name: 'readings-disagree',
    severity: 'warning',
    cause: `Integrated power differs from the counter by ${percent(agreement.driftRatio)}.`,
    fix: 'Run longer; if it stays, one of the two readings of this device is wrong.',
  }
}

const estimateOnly: FlagCheck = ({ reading, domains }) => {
  if (primaryMethod(totalByMethod(reading, domains)) !== 'model') return undefined
  return {
    name: 'estimate-only',
    severity: 'warning',
    cause: 'Energy is an estimate from CPU time and nominal power, not a reading.',
    fix: 'Use a machine with an energy counter, or a wall plug.',
  }
}

const shortWindow: FlagCheck = ({ reading, domains }) => {
  const totals = totalByMethod(reading, domains)
  const method = primaryMethod(totals)
  const total = isUnavailable(method) ? undefined : totals[method]
  if (total === undefined || isUnavailable(total)) return undefined
  const neededS = Math.max(MIN_DURATION_S, MIN_TICKS * total.tickS)
  if (reading.durationS >= neededS) return undefined
  return {
    name: 'short-window',
    severity: 'note',
    cause: `The window took ${reading.durationS.toFixed(1)} s; a steady figure needs ${neededS.toFixed(0)} s.`,
    fix: 'Measure for longer, or more often.',
  }
}

const samplingGap: FlagCheck = (assessment) => {
  const gaps = measuredIn(assessment).filter(([, energy]) => energy.coverageRatio < MIN_COVERAGE)
  if (gaps.length === 0) return undefined
  const told = gaps.map(([id, energy]) => `${id} ${percent(1 - energy.coverageRatio)}`)
  return {
    name: 'sampling-gap',
    severity: 'warning',
    cause: `Part of the window was not observed: ${told.join(', ')}.`,
    fix: 'Leave a processor free for the meter, and measure again.',
  }
}

/** A gap of two ticks in a window of ten seconds is nothing. */
const MIN_COVERAGE = 0.97

function measuredIn({ reading, domains }: Assessment): readonly [string, MeasuredEnergy][] {
  return relevantDomains(domains).flatMap(({ id }) => {
    const energy = reading.domains[id]
    return energy === undefined || isUnavailable(energy) ? [] : [[id, energy]]
  })
}

/** Checks of the energies against each other and against the window. */
export const energyChecks = [
  wallBelowDevice,
  readingsDisagree,
  estimateOnly,
  shortWindow,
  samplingGap,
]

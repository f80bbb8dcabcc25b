import { isUnavailable } from '@energy-bench/spec'
import { quantile } from '@energy-bench/stats'
import type { CellFigures } from './assemble-report.js'
import { type Facts, primaryEnergy } from './facts.js'
import { percent } from './text.js'
import type { HonestyFlag } from './types.js'

/** Below this share of net in gross, an error of idle power weighs five times or more. */
const netShareLimit = 0.2
const shortWindowS = 20
const shortWindowTicks = 200

type Check = (facts: Facts, figures: CellFigures) => HonestyFlag | null

/** Flags about how the energy was read. */
export function energyFlags(facts: Facts, figures: CellFigures): readonly HonestyFlag[] {
  const checks: readonly Check[] = [estimateOnly, missingEnergy, idleDominated, shortWindow]
  return checks.flatMap((check) => check(facts, figures) ?? [])
}

const estimateOnly: Check = ({ method }) =>
  method === 'model'
    ? {
        name: 'estimate-only',
        cause: 'Energy is an estimate from CPU time and nominal power, not a reading.',
        fix: 'Use a machine with an energy counter, or a wall plug.',
      }
    : null

const missingEnergy: Check = (facts) => {
  const missing = facts.records.filter((record) =>
    isUnavailable(primaryEnergy(facts, record, 'gross')),
  )
  if (missing.length === 0) return null
  return {
    name: 'missing-energy',
    cause: `${missing.length} of ${facts.records.length} answers have no reading of their energy.`,
    fix: 'See the reason at each item, and run again.',
  }
}

const idleDominated: Check = (_, { energyNetJ, energyGrossJ }) => {
  if (isUnavailable(energyNetJ) || isUnavailable(energyGrossJ)) return null
  if (energyNetJ.mean >= netShareLimit * energyGrossJ.mean) return null
  return {
    name: 'idle-dominated',
    cause: `Net energy is ${percent(energyNetJ.mean / energyGrossJ.mean)} of gross: idle power decides the result.`,
    fix: 'Quote gross energy, or measure idle power for longer.',
  }
}

const shortWindow: Check = ({ records }, { repetitions }) => {
  const shortestS = Math.min(...repetitions.map((repetition) => repetition.durationS))
  const tickS = quantile(
    records.map((record) => record.tickS ?? 0),
    0.5,
  )
  const neededS = Math.max(shortWindowS, shortWindowTicks * tickS)
  if (shortestS >= neededS) return null
  return {
    name: 'short-window',
    cause: `A repetition took ${shortestS.toFixed(1)} s; a steady figure needs ${neededS.toFixed(0)} s.`,
    fix: 'Use more items.',
  }
}

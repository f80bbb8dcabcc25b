import { isUnavailable, unavailable } from '@energy-bench/spec'
import {
  mean,
  meanInterval,
  type RatioInterval,
  type RatioPair,
  ratioInterval,
} from '@energy-bench/stats'
import type { Accounting } from '../energy-ledger.js'
import { repetitionDetails } from './energy-figures.js'
import { type Facts, primaryEnergy } from './facts.js'
import type { EnergyPerCorrect, ItemRecord } from './types.js'

const level = 0.95

/**
 * Joules per correct answer: a ratio of sums over items, each item by its mean over repetitions, because a repetition
 * of the same question is no new question. From three repetitions on, the wider of two intervals: over items
 * (log-delta, see `ratioInterval`) or over repetitions (Student t on the logarithm).
 */
export function energyPerCorrect(facts: Facts, accounting: Accounting): EnergyPerCorrect {
  const { method } = facts
  const pairs = [...facts.byItem.values()].flatMap((records) => toPair(facts, records, accounting))
  const first = facts.records[0]
  if (method === null || pairs.length === 0 || first === undefined) {
    const missing = first === undefined ? null : primaryEnergy(facts, first, accounting)
    if (missing !== null && isUnavailable(missing)) return missing
    return unavailable('no-data', 'No item has a reading of its energy.')
  }
  const claim = { level, accounting, method }
  const result = ratioInterval(pairs, level)
  if (result.status !== 'ok') return { ...result, ...claim }
  return { status: 'ok', ...wider(result, repetitionInterval(facts, accounting)), ...claim }
}

function toPair(
  facts: Facts,
  records: readonly ItemRecord[],
  accounting: Accounting,
): readonly RatioPair[] {
  const readings = records.flatMap((record) => {
    const energy = primaryEnergy(facts, record, accounting)
    if (isUnavailable(energy)) return []
    return [{ energyJ: energy.energyJ, correct: record.outcome === 'correct' ? 1 : 0 }]
  })
  if (readings.length === 0) return []
  const numerator = mean(readings.map((reading) => reading.energyJ))
  return [{ numerator, denominator: mean(readings.map((reading) => reading.correct)) }]
}

/** Half-width of the log of joules per correct answer over repetitions; null below three, or without a logarithm. */
function repetitionInterval(facts: Facts, accounting: Accounting): number | null {
  const ratios = repetitionDetails(facts).map((detail) => detail.energyPerCorrectJ[accounting])
  const usable = ratios.flatMap((ratio) => (isUnavailable(ratio) || ratio <= 0 ? [] : [ratio]))
  if (usable.length < 3 || usable.length < ratios.length) return null
  const interval = meanInterval(usable.map(Math.log), level)
  return interval === null ? null : (interval.high - interval.low) / 2
}

function wider(
  { value, low, high }: Extract<RatioInterval, { status: 'ok' }>,
  halfLog: number | null,
) {
  const items = { value, low, high, interval: 'items' as const }
  // Spread without bound between repetitions would not fit into JSON; the flag high-cv speaks of it.
  if (halfLog === null || !Number.isFinite(value * Math.exp(halfLog))) return items
  const between = { low: value / Math.exp(halfLog), high: value * Math.exp(halfLog) }
  if (between.high - between.low <= high - low) return items
  return { value, ...between, interval: 'repetitions' as const }
}

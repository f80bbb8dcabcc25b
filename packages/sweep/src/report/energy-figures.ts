import type { Unavailable } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import { coefficientOfVariation, mean, sampleStd, sum } from '@energy-bench/stats'
import type { Accounting } from '../energy-ledger.js'
import { type Facts, inBoth, primaryEnergy, totalEnergy } from './facts.js'
import type { Both, ItemRecord, Repetition, Spread } from './types.js'

/** Energy of a pass over all items, joules: mean and spread over the repetitions that were read in full. */
export function energySpread(facts: Facts, accounting: Accounting): Spread {
  const totals = [...facts.byRepetition.values()].map((records) =>
    totalEnergy(facts, records, accounting),
  )
  const values = totals.flatMap((total) => (isUnavailable(total) ? [] : [total]))
  if (values.length === 0) return firstReason(totals)
  return { mean: mean(values), std: sampleStd(values), cvRatio: coefficientOfVariation(values) }
}

function firstReason(totals: readonly (number | Unavailable)[]): Unavailable {
  return totals.find(isUnavailable) ?? unavailable('no-data', 'No item was run.')
}

/** Joules per output token: over the items whose energy and tokens are both known. */
export function energyPerOutputToken(facts: Facts): Both {
  return inBoth((accounting) =>
    ratioOver(facts, accounting, {
      amount: (record) => record.tokens.outputTokens,
      missing: 'The engine gave no count of output tokens.',
    }),
  )
}

/** Joules per item of one repetition: over the items whose energy is known. */
export function energyPerItem(facts: Facts): Both {
  return inBoth((accounting) =>
    ratioOver(facts, accounting, { amount: () => 1, missing: 'No item was run.' }),
  )
}

interface Divisor {
  readonly amount: (record: ItemRecord) => number | null
  /** Says why there is nothing to divide by. */
  readonly missing: string
}

function ratioOver(
  facts: Facts,
  accounting: Accounting,
  { amount, missing }: Divisor,
): number | Unavailable {
  const energies = facts.records.map((record) => primaryEnergy(facts, record, accounting))
  const parts = facts.records.flatMap((record, index) => {
    const energy = energies[index]
    const divisor = amount(record)
    if (energy === undefined || isUnavailable(energy) || divisor === null) return []
    return [{ energyJ: energy.energyJ, divisor }]
  })
  const divisor = sum(parts.map((part) => part.divisor))
  if (divisor > 0) return sum(parts.map((part) => part.energyJ)) / divisor
  return energies.every(isUnavailable)
    ? (energies.find(isUnavailable) ?? unavailable('no-data', 'No item was run.'))
    : unavailable('no-data', missing)
}

/** Every repetition by itself. */
export function repetitionDetails(facts: Facts): readonly Repetition[] {
  return [...facts.byRepetition].map(([repetition, records]) => {
    const correct = records.filter((record) => record.outcome === 'correct').length
    const energyJ = inBoth((accounting) => totalEnergy(facts, records, accounting))
    return {
      repetition,
      items: records.length,
      correct,
      durationS: sum(records.map((record) => record.durationS)),
      outputTokens: tokenSum(records, 'outputTokens'),
      energyJ,
      energyPerCorrectJ: {
        net: perCorrect(energyJ.net, correct),
        gross: perCorrect(energyJ.gross, correct),
      },
    }
  })
}

function perCorrect(energyJ: number | Unavailable, correct: number): number | Unavailable {
  if (isUnavailable(energyJ)) return energyJ
  if (correct > 0) return energyJ / correct
  return unavailable('no-data', 'No answer of this repetition was correct.')
}

/** Sum of one token count; null when the engine left it out for an answer that it finished. */
export function tokenSum(
  records: readonly ItemRecord[],
  name: keyof ItemRecord['tokens'],
): number | null {
  const finished = records.filter((record) => record.finishReason !== null)
  const counts = finished.flatMap((record) => record.tokens[name] ?? [])
  return finished.length > 0 && counts.length === finished.length ? sum(counts) : null
}

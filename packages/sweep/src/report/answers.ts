import type { ItemOutcome } from '@energy-bench/spec'
import { mean, sum, wilson } from '@energy-bench/stats'
import { type Facts, groupBy } from './facts.js'
import type { Accuracy, CellReportData, ItemRecord } from './types.js'

/** Share of correct answers over distinct items, each by its mean over repetitions, with Wilson's 95 % interval. */
export function accuracyOf(records: readonly ItemRecord[]): Accuracy {
  const byItem = [...groupBy(records, (record) => record.itemId).values()]
  const shares = byItem.map((same) => mean(same.map((r) => (r.outcome === 'correct' ? 1 : 0))))
  const correct = sum(shares)
  const items = shares.length
  return { ratio: correct / items, ...wilson(correct, items), correct, items }
}

/** Accuracy of every group that the items name. */
export function accuracyByGroup({ records }: Facts): Readonly<Record<string, Accuracy>> {
  const grouped = records.filter((record) => record.group !== undefined)
  const groups = groupBy(grouped, (record) => record.group ?? '')
  return Object.fromEntries([...groups].map(([name, members]) => [name, accuracyOf(members)]))
}

/** How many answers of all repetitions ended in which way. */
export function outcomeCounts({ records }: Facts): CellReportData['outcomes'] {
  const count = (outcome: ItemOutcome) =>
    records.filter((record) => record.outcome === outcome).length
  return {
    correct: count('correct'),
    wrong: count('wrong'),
    unparsed: count('unparsed'),
    truncated: count('truncated'),
    refused: count('refused'),
    empty: count('empty'),
    timeout: count('timeout'),
    error: count('error'),
  }
}

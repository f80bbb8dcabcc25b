import { sum } from '@energy-bench/stats'
import { tokenSum } from './energy-figures.js'
import type { Facts } from './facts.js'
import type { CellReportData, ItemRecord } from './types.js'

/** Time of all generations together, seconds. */
export function totalDurationS({ records }: Facts): number {
  return sum(records.map((record) => record.durationS))
}

/** Tokens and items per second of generation; idle time and scoring are outside. */
export function throughputOf(facts: Facts): CellReportData['throughput'] {
  const durationS = totalDurationS(facts)
  return {
    decodeTokensPerS: decodeRate(facts.records),
    outputTokensPerS: rate(tokenSum(facts.records, 'outputTokens'), durationS),
    itemsPerS: rate(facts.records.length, durationS),
  }
}

function decodeRate(records: readonly ItemRecord[]): number | null {
  const parts = records.flatMap((record) => decodePart(record) ?? [])
  return rate(sum(parts.map((part) => part.tokens)), sum(parts.map((part) => part.durationS)))
}

/** The engine's own decode time, else the time from the first token on, in which all tokens but that one are made. */
function decodePart(record: ItemRecord): { tokens: number; durationS: number } | null {
  const { outputTokens } = record.tokens
  if (outputTokens === null) return null
  const { decodeS } = record.timings
  if (decodeS !== null) return { tokens: outputTokens, durationS: decodeS }
  if (record.firstTokenS === null || outputTokens < 2) return null
  return { tokens: outputTokens - 1, durationS: record.durationS - record.firstTokenS }
}

function rate(amount: number | null, durationS: number): number | null {
  return amount === null || durationS <= 0 ? null : amount / durationS
}

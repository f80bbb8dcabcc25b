import { isUnavailable } from '@energy-bench/spec'
import type { EnergyLedger } from '../energy-ledger.js'
import { primaryOf } from '../meter-sums.js'
import type { ItemRecord } from '../report/types.js'
import type { Progress } from './events.js'

/** Running sums, so that each event costs the same however long the run is. */
export interface ProgressCounter {
  add(record: ItemRecord, ledger: EnergyLedger): Progress
}

/** Counts items up to `total`. Energy per correct is null once an item has no net energy. */
export function createProgress(total: number): ProgressCounter {
  const sums = { done: 0, correct: 0, tokens: 0, durationS: 0 }
  let netJ: number | null = 0
  return {
    add(record, ledger) {
      sums.done += 1
      sums.correct += record.outcome === 'correct' ? 1 : 0
      sums.tokens += record.tokens.outputTokens ?? 0
      sums.durationS += record.durationS
      netJ = plus(netJ, energyJ(record, 'net', ledger))
      return {
        done: sums.done,
        total,
        correct: sums.correct,
        powerW: over(energyJ(record, 'gross', ledger), record.durationS),
        energyPerCorrectJ: over(netJ, sums.correct),
        tokensPerS: over(sums.tokens, sums.durationS),
      }
    },
  }
}

function energyJ(
  record: ItemRecord,
  accounting: 'net' | 'gross',
  ledger: EnergyLedger,
): number | null {
  const method = primaryOf(record.energy)
  if (method === null) return null
  const energy = ledger.energyOf(record, accounting, method)
  return isUnavailable(energy) ? null : energy.energyJ
}

function plus(total: number | null, amount: number | null): number | null {
  return total === null || amount === null ? null : total + amount
}

function over(amount: number | null, divisor: number): number | null {
  return amount === null || divisor === 0 ? null : amount / divisor
}

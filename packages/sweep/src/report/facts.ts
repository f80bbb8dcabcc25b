import type { EnergyMethod, Unavailable } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import { sum } from '@energy-bench/stats'
import { type Accounting, createEnergyLedger, type EnergyLedger } from '../energy-ledger.js'
import { primaryOf } from '../meter-sums.js'
import type { Run } from '../run/create-run.js'
import type { SessionIdle } from '../run/session.js'
import type { Both, Energy, ItemRecord } from './types.js'

/** What every figure of a report is computed from. */
export interface Facts {
  readonly run: Run
  /** In order of repetition, then of the items of the task. */
  readonly records: readonly ItemRecord[]
  readonly byRepetition: ReadonlyMap<number, readonly ItemRecord[]>
  readonly byItem: ReadonlyMap<string, readonly ItemRecord[]>
  readonly sessions: readonly SessionIdle[]
  readonly ledger: EnergyLedger
  readonly method: EnergyMethod | null
}

/** Orders the records and opens the ledger. */
export function gatherFacts(run: Run): Facts {
  const { plan, gathered } = run
  const places = new Map(plan.task.items.map((item, index) => [item.id, index]))
  const place = (record: ItemRecord) => places.get(record.itemId) ?? 0
  const records = [...gathered.records.values()].toSorted(
    (a, b) => a.repetition - b.repetition || place(a) - place(b),
  )
  return {
    run,
    records,
    byRepetition: groupBy(records, (record) => record.repetition),
    byItem: groupBy(records, (record) => record.itemId),
    sessions: [...gathered.idle.values()],
    ledger: createEnergyLedger(gathered.idle, plan.meter.domains),
    method: primaryOfRun(records),
  }
}

/**
 * The most direct method that read every item; where none did, the one that read the first item that was read at all.
 * An estimate never takes the place of a reading that has gaps.
 */
function primaryOfRun(records: readonly ItemRecord[]): EnergyMethod | null {
  const primaries = records.flatMap((record) => primaryOf(record.energy) ?? [])
  const read = primaries.filter((method) => method !== 'model')
  const candidates = read.length > 0 ? read : primaries
  const complete = [...new Set(candidates)].find((method) =>
    records.every((record) => hasReading(record, method)),
  )
  return complete ?? candidates[0] ?? null
}

function hasReading({ energy }: ItemRecord, method: EnergyMethod): boolean {
  const reading = energy[method]
  return reading !== undefined && !isUnavailable(reading)
}

/** Groups in order of first appearance. */
export function groupBy<Value, Key>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}

/** Energy of one record by the primary method, or why there is none. */
export function primaryEnergy(
  { ledger, method }: Facts,
  record: ItemRecord,
  accounting: Accounting,
): Energy | Unavailable {
  return method === null ? firstReason(record) : ledger.energyOf(record, accounting, method)
}

function firstReason({ energy }: ItemRecord): Unavailable {
  const reason = Object.values(energy).find(isUnavailable)
  return reason ?? unavailable('no-device', 'This meter has no domain.')
}

/** Sum in joules over all records; unavailable as soon as one is, because a part of the sum would read as the whole. */
export function totalEnergy(
  facts: Facts,
  records: readonly ItemRecord[],
  accounting: Accounting,
): number | Unavailable {
  const energies = records.map((record) => primaryEnergy(facts, record, accounting))
  const missing = energies.find((energy) => isUnavailable(energy))
  if (missing !== undefined && isUnavailable(missing)) return missing
  return sum(energies.flatMap((energy) => (isUnavailable(energy) ? [] : [energy.energyJ])))
}

/** One figure in both accountings. */
export function inBoth(figure: (accounting: Accounting) => number | Unavailable): Both {
  return { net: figure('net'), gross: figure('gross') }
}

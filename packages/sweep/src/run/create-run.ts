import { createEnergyLedger } from '../energy-ledger.js'
import { finishedWork } from '../journal/finished-work.js'
import type { JournalLine } from '../journal/lines.js'
import type { Plan } from '../options.js'
import type { ItemRecord } from '../report/types.js'
import type { Emitter } from './emitter.js'
import type { BareEvent, Progress } from './events.js'
import { createProgress } from './progress.js'
import type { Gathered } from './session.js'

/** A run on its way: the plan, what was gathered, and how to tell the caller. */
export interface Run {
  readonly plan: Plan
  readonly gathered: Gathered
  readonly emitter: Emitter
  /** Adds the origin to an event and hands it to the caller. */
  emit(event: BareEvent): void
  /** Counts a finished item. */
  count(record: ItemRecord): Progress
}

/** Starts from what an earlier journal holds for this cell. */
export function createRun(
  plan: Plan,
  { emitter, finished }: { readonly emitter: Emitter; readonly finished: readonly JournalLine[] },
): Run {
  const { cellKey, session, meter, task, settings } = plan
  const gathered: Gathered = { ...finishedWork(finished, plan), window: null, meterFlags: [] }
  const counter = createProgress(task.items.length * settings.repetitions)
  const count = (record: ItemRecord) =>
    counter.add(record, createEnergyLedger(gathered.idle, meter.domains))
  for (const record of gathered.records.values()) count(record)
  return {
    plan,
    gathered,
    emitter,
    emit: (event) => emitter.emit({ ...event, cellKey, session }),
    count,
  }
}

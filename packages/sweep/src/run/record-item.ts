import { type WindowEnergy, windowEnergy } from '../meter-sums.js'
import type { ItemRecord } from '../report/types.js'
import type { Run } from './create-run.js'
import { devicesOver } from './devices-over.js'
import type { Generated } from './generate-item.js'
import type { Verdict } from './judge.js'
import type { Step } from './run-cell.js'
import { recordKey } from './session.js'

interface Finished {
  readonly step: Step
  readonly generated: Generated
  readonly verdict: Verdict
}

/** Waits for the energy of an item, keeps its record and tells the caller. */
export async function recordItem(run: Run, finished: Finished): Promise<void> {
  const { meter } = run.plan
  const { startS, endS } = finished.generated
  const reading = await meter.energyBetween(startS, endS)
  const record = toRecord(run, finished, windowEnergy(reading, meter.domains))
  const { gathered } = run
  gathered.records.set(recordKey(record), record)
  gathered.window = { startS: gathered.window?.startS ?? startS, endS }
  run.emit({ type: 'item-end', record, progress: run.count(record) })
}

function toRecord(
  run: Run,
  { step, generated, verdict }: Finished,
  { energy, tickS }: WindowEnergy,
): ItemRecord {
  const { startS, endS, failure: _, ...rest } = generated
  const { item, repetition } = step
  return {
    itemId: item.id,
    ...(item.group === undefined ? {} : { group: item.group }),
    repetition,
    session: run.plan.session,
    ...verdict,
    startS,
    durationS: endS - startS,
    ...rest,
    energy,
    tickS,
    ...devicesOver(run.plan.meter, { startS, endS }),
  }
}

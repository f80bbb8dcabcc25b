import type { Plan } from '../options.js'
import { type Gathered, keepIdle, recordKey } from '../run/session.js'
import type { JournalLine } from './lines.js'

/** What an earlier journal holds for this very cell. Items that ended as `error` are left out, so that they run again. */
export function finishedWork(
  lines: readonly JournalLine[],
  { cellKey, task, settings }: Pick<Plan, 'cellKey' | 'task' | 'settings'>,
): Pick<Gathered, 'records' | 'idle'> {
  const records: Gathered['records'] = new Map()
  const idle: Gathered['idle'] = new Map()
  const known = new Set(task.items.map((item) => item.id))
  for (const line of lines) {
    if (line.cellKey !== cellKey || line.type === 'cell') continue
    if (line.type === 'idle') {
      keepIdle(idle, line.session, { [line.phase]: line.baseline })
      continue
    }
    const { type: _, cellKey: __, ...record } = line
    const isWanted = known.has(record.itemId) && record.repetition <= settings.repetitions
    if (isWanted && record.outcome !== 'error') records.set(recordKey(record), record)
  }
  return { records, idle: keepUsed(idle, records) }
}

/** Sessions of which no item is used would only blur the idle figures. */
function keepUsed(idle: Gathered['idle'], records: Gathered['records']): Gathered['idle'] {
  const used = new Set([...records.values()].map((record) => record.session))
  return new Map([...idle].filter(([session]) => used.has(session)))
}

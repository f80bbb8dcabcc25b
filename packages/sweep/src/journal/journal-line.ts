import type { MeasureEvent } from '../run/events.js'
import { type JournalLine, journalLineSchema } from './lines.js'

/** The line that keeps an event for a later resume; null for events that need no keeping. */
export function journalLine(event: MeasureEvent): JournalLine | null {
  const line = toLine(event)
  return line === null ? null : journalLineSchema.parse(line)
}

function toLine(event: MeasureEvent): unknown {
  const { cellKey, session } = event
  if (event.type === 'cell-start') {
    return { type: 'cell', cellKey, session, label: event.label, total: event.total }
  }
  if (event.type === 'idle-end') {
    return { type: 'idle', cellKey, session, phase: event.phase, baseline: event.baseline }
  }
  return event.type === 'item-end' ? { type: 'item', cellKey, ...event.record } : null
}

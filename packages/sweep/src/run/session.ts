import type { IdleBaseline, MeterFlag } from '@energy-bench/meter'
import type { DeviceWindowRecord, ItemRecord } from '../report/types.js'

/** Idle power of one window, and how the devices stood at its ends. */
export type MeasuredIdle = IdleBaseline & { readonly devices?: readonly DeviceWindowRecord[] }

/** The idle windows of one call of `measure`; null where one was not measured. */
export interface SessionIdle {
  readonly session: string
  readonly before: MeasuredIdle | null
  readonly after: MeasuredIdle | null
}

/** What a run has gathered. The only state that changes while `measure` runs. */
export interface Gathered {
  readonly records: Map<string, ItemRecord>
  readonly idle: Map<string, SessionIdle>
  /** First start and last end of this session; null when nothing was run. */
  window: { startS: number; endS: number } | null
  /** What the meter says about the whole of this session. */
  meterFlags: readonly MeterFlag[]
}

/** Names an item of a repetition. */
export function recordKey(part: Pick<ItemRecord, 'repetition' | 'itemId'>): string {
  return `${part.repetition}:${part.itemId}`
}

/** Keeps the idle window of one phase of a session. */
export function keepIdle(
  idle: Gathered['idle'],
  session: string,
  part: Partial<Pick<SessionIdle, 'before' | 'after'>>,
): void {
  const known = idle.get(session) ?? { session, before: null, after: null }
  idle.set(session, { ...known, ...part })
}

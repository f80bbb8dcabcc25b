import type { ItemRecord } from '../report/types.js'
import type { MeasuredIdle } from './session.js'

/** How far a run is. Figures are of the primary method and null until they are known. */
export interface Progress {
  readonly done: number
  readonly total: number
  readonly correct: number
  /** Gross power during the item. */
  readonly powerW: number | null
  /** Net, over all items so far. */
  readonly energyPerCorrectJ: number | null
  readonly tokensPerS: number | null
}

/** Joins an event to its cell and session, so that a journal line needs nothing else. */
interface Origin {
  readonly cellKey: string
  readonly session: string
}

/** What `measure` tells while it runs. */
export type MeasureEvent = Origin &
  (
    | { readonly type: 'cell-start'; readonly total: number; readonly label: string }
    | { readonly type: 'idle-start'; readonly phase: 'before' | 'after' }
    | {
        readonly type: 'idle-end'
        readonly phase: 'before' | 'after'
        readonly baseline: MeasuredIdle
      }
    | { readonly type: 'warmup-end' }
    | { readonly type: 'item-end'; readonly record: ItemRecord; readonly progress: Progress }
    | { readonly type: 'cell-end' }
  )

/** A `MeasureEvent` before its origin is added. */
export type BareEvent = MeasureEvent extends infer Event
  ? Event extends MeasureEvent
    ? Omit<Event, keyof Origin>
    : never
  : never

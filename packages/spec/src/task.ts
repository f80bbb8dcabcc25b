import type { ChatMessage } from './backend.js'

/** How one item of a run ended. Only `correct` counts as correct. */
export type ItemOutcome =
  | 'correct'
  | 'wrong'
  | 'unparsed'
  | 'truncated'
  | 'refused'
  | 'empty'
  | 'timeout'
  | 'error'

/** What a scorer says about one answer (thinking already cut off). */
export interface Score {
  readonly outcome: 'correct' | 'wrong' | 'unparsed' | 'refused' | 'empty'
  /** What was taken from the answer and compared. */
  readonly extracted?: string
}

export interface TaskItem<Example = unknown> {
  readonly id: string
  /** Part of the task that the item belongs to, for accuracy by group. */
  readonly group?: string
  readonly example: Example
}

/** A fixed list of items with the two functions that make it a task. */
export interface Task<Example = unknown> {
  readonly specVersion: 1
  readonly id: string
  readonly version: string
  readonly maxOutputTokens: number
  readonly items: readonly TaskItem<Example>[]
  /** `sha256:<hex>` over the items, so that two runs compare only when their items are the same. */
  readonly digest: string
  /** Where the items come from, for the report: source, seed, number drawn. */
  readonly provenance: Readonly<Record<string, string | number>>
  // Methods, not properties: a Task<Special> is then usable where a Task<unknown> is asked for.
  render(example: Example): string | readonly ChatMessage[]
  score(example: Example, output: string): Score | Promise<Score>
}

/** A column of the table besides the name. */
export type Column = 'age' | 'city' | 'job' | 'score'

/** People and what is known about them; only `columns` are shown. */
export interface Table {
  readonly names: readonly string[]
  readonly columns: readonly Column[]
  readonly values: Readonly<Record<Column, readonly string[]>>
}

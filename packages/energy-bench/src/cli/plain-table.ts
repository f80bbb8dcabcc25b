import Table from 'cli-table3'

/** A table without lines: its head, how its columns align, and its rows. */
export interface PlainTable {
  readonly head: readonly string[]
  readonly colAligns: readonly ('left' | 'right')[]
  readonly rows: readonly (readonly string[])[]
}

/** Renders a table without lines and without spaces at the ends. */
export function plainTable({ head, colAligns, rows }: PlainTable): string {
  const table = new Table({
    head: [...head],
    chars: noLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    colAligns: [...colAligns],
  })
  table.push(...rows.map((row) => [...row]))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}

import type { CellReportData } from '@energy-bench/sweep'
import { joules, joulesBetween, percent, significant } from './format.js'
import { plainTable } from './plain-table.js'

/** What the other columns leave of 80. */
const labelWidth = 20

/** One row a cell, at most 80 columns. */
export function cellTable(cells: readonly CellReportData[]): string {
  return plainTable({
    head: ['configuration', 'accuracy (95 %)', 'J per correct (95 %)', 'per answer', 'tok/s'],
    colAligns: ['left', 'left', 'left', 'right', 'right'],
    rows: cells.map(row),
  })
}

function row(cell: CellReportData): string[] {
  const { net } = cell.energyPerItemJ
  const speed = cell.throughput.decodeTokensPerS ?? cell.throughput.outputTokensPerS
  return [
    shortLabel(cell.label),
    accuracyText(cell),
    perCorrectText(cell),
    typeof net === 'number' ? joules(net) : '-',
    speed === null ? '-' : significant(speed),
  ]
}

/** The place of a server goes first; of a long name the end is kept, where the quantization stands. */
export function shortLabel(label: string): string {
  const short = label.replace(/ at \S+(?=,|$)/, '').replace(', thinking ', ' think ')
  return short.length <= labelWidth ? short : `…${short.slice(1 - labelWidth)}`
}

/** Accuracy with its Wilson interval. */
export function accuracyText({ accuracy }: CellReportData): string {
  const { ratio, low, high } = accuracy
  return `${percent(ratio)} (${(low * 100).toFixed(0)}-${(high * 100).toFixed(0)})`
}

/** Joules per correct answer with its interval, or why there is none. */
export function perCorrectText({ energyPerCorrectJ: energy }: CellReportData): string {
  if (energy.status === 'unavailable') return `- (${energy.reason})`
  if (energy.status !== 'ok') return `- (${energy.status})`
  return joulesBetween(energy.value, energy.low, energy.high)
}

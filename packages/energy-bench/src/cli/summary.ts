import type { CellReportData, HonestyFlag } from '@energy-bench/sweep'
import { type Pick, pick, valueJ } from '../quick/pick.js'
import { accuracyText, cellTable, perCorrectText, shortLabel } from './cell-table.js'
import { joules, percent, significant } from './format.js'
import { plainTable } from './plain-table.js'

/** The readable end of a run: the table, which one to run, where the energy went, and what to know before quoting it. */
export function summary(cells: readonly CellReportData[]): string {
  const parts = [cellTable(cells), advice(cells), method(cells), split(cells), warnings(cells)]
  return parts.filter((part) => part !== '').join('\n\n')
}

function advice(cells: readonly CellReportData[]): string {
  const picked = pick(cells)
  if (picked === null) return 'No configuration has an energy per correct answer.'
  if (cells.length === 1) {
    return `${perCorrectText(picked.cheapest)} per correct answer, accuracy ${accuracyText(picked.cheapest)}.`
  }
  return [
    'Which one should I run?',
    cheapestLine(picked),
    notSeparatedLine(picked),
    accurateLine(picked),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function cheapestLine({ cheapest }: Pick): string {
  const energy = perCorrectText(cheapest)
  return `  Least energy: ${cheapest.label}\n    ${energy} per correct answer, accuracy ${accuracyText(cheapest)}`
}

function notSeparatedLine({ notSeparated }: Pick): string {
  if (notSeparated.length === 0) return '    clearly below all others (intervals do not overlap)'
  return `    not separated from: ${notSeparated.map((cell) => cell.label).join('; ')}`
}

function accurateLine({ cheapest, mostAccurate }: Pick): string {
  if (mostAccurate === cheapest) return '  It is also the most accurate.'
  const times = significant(valueJ(mostAccurate) / valueJ(cheapest), 2)
  return `  Most accurate: ${mostAccurate.label}\n    ${accuracyText(mostAccurate)} at ${times} times the energy per correct answer`
}

function method(cells: readonly CellReportData[]): string {
  const methods = [...new Set(cells.map((cell) => cell.method ?? 'none'))]
  const estimate = methods.includes('model')
    ? ' This is an ESTIMATE from CPU time and nominal watts, not a measurement.'
    : ''
  return `Energy is net of idle power, idle measured with the model resident. Method: ${methods.join(', ')}.${estimate}`
}

function split(cells: readonly CellReportData[]): string {
  const table = plainTable({
    head: ['energy of one repetition', 'gross', 'prefill', 'decode', 'idle'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    rows: cells.map((cell) => [shortLabel(cell.label), ...shares(cell)]),
  })
  return `${table}\nThe active part is split by the time that the engine gives for each phase.`
}

/** Gross energy, and the shares of prompt, answer and idling in it. */
function shares(cell: CellReportData): readonly string[] {
  const { energyGrossJ: gross, energyNetJ: net } = cell
  if (!('mean' in gross) || !('mean' in net)) return ['not measured', '-', '-', '-']
  const idleRatio = Math.max(0, 1 - net.mean / gross.mean)
  const prefillRatio = prefillShare(cell)
  const active = (ratio: number) => percent((1 - idleRatio) * ratio)
  const phases =
    prefillRatio === null ? ['-', '-'] : [active(prefillRatio), active(1 - prefillRatio)]
  return [joules(gross.mean), ...phases, percent(idleRatio)]
}

/** Share of the engine's time that went into prompts; null when it does not say. */
function prefillShare({ items }: CellReportData): number | null {
  let prefillS = 0
  let bothS = 0
  for (const { timings } of items) {
    if (timings == null || timings.prefillS === null || timings.decodeS === null) return null
    prefillS += timings.prefillS
    bothS += timings.prefillS + timings.decodeS
  }
  return bothS > 0 ? prefillS / bothS : null
}

function warnings(cells: readonly CellReportData[]): string {
  const groups = new Map<string, Warned[]>()
  for (const cell of cells) {
    for (const flag of cell.honesty) {
      groups.set(flag.name, [...(groups.get(flag.name) ?? []), { flag, label: cell.label }])
    }
  }
  return [...groups.values()].map((group) => warning(group, cells.length)).join('\n')
}

const causesShown = 2

interface Warned {
  readonly flag: HonestyFlag
  readonly label: string
}

/** One warning of the same name in any number of cells: what causes it where, and what to do. */
function warning(group: readonly Warned[], cells: number): string {
  const [first] = group
  if (first === undefined) return ''
  const { name, cause, fix } = first.flag
  const isSame = group.every(({ flag }) => flag.cause === cause)
  const causes =
    isSame && group.length === cells
      ? [cause]
      : group.map(({ flag, label }) => `${label}: ${flag.cause}`)
  const shown = causes.slice(0, causesShown).map((text) => `    ${text}`)
  const more = causes.length - shown.length
  if (more > 0) shown.push(`    and in ${more} more configurations, see the report`)
  return [`! ${name}`, ...shown, `    Fix: ${fix}`].join('\n')
}

import type { CellReportData } from '@energy-bench/sweep'

/** The two answers to "which one should I run", drawn from measured cells. */
export interface Pick {
  /** Least energy per correct answer. */
  readonly cheapest: CellReportData
  /** Cells whose intervals of energy per correct answer overlap that of the cheapest. */
  readonly notSeparated: readonly CellReportData[]
  /** Highest accuracy; among equals the one with less energy per correct answer. */
  readonly mostAccurate: CellReportData
}

/** Null when no cell has an energy per correct answer. */
export function pick(cells: readonly CellReportData[]): Pick | null {
  const ranked = cells
    .filter((cell) => cell.energyPerCorrectJ.status === 'ok')
    .toSorted((a, b) => valueJ(a) - valueJ(b))
  const cheapest = ranked[0]
  if (cheapest === undefined) return null
  return {
    cheapest,
    notSeparated: ranked.slice(1).filter((cell) => lowJ(cell) <= highJ(cheapest)),
    mostAccurate: ranked.reduce((best, cell) =>
      cell.accuracy.ratio > best.accuracy.ratio ? cell : best,
    ),
  }
}

/** Net joules per correct answer; infinite where there is none. */
export function valueJ({ energyPerCorrectJ: energy }: CellReportData): number {
  return energy.status === 'ok' ? energy.value : Number.POSITIVE_INFINITY
}

function lowJ({ energyPerCorrectJ: energy }: CellReportData): number {
  return energy.status === 'ok' ? energy.low : Number.POSITIVE_INFINITY
}

function highJ({ energyPerCorrectJ: energy }: CellReportData): number {
  return energy.status === 'ok' ? energy.high : Number.POSITIVE_INFINITY
}

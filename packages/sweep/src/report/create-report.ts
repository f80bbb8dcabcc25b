import { saveJson } from '../save-json.js'
import type { CellReport, CellReportData } from './types.js'

/** Gives plain data the two functions of a report. */
export function createReport(data: CellReportData): CellReport {
  return {
    ...data,
    save: (path) => saveJson(path, data),
    toJSON: () => data,
  }
}

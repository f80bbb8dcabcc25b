import { EnergyBenchError } from '@energy-bench/spec'
import { createReport } from './create-report.js'
import { cellReportSchema } from './schema.js'
import type { CellReport } from './types.js'

/** Reads a report back from parsed JSON. Throws `record-invalid` with the path of the first problem. */
export function parseCellReport(json: unknown): CellReport {
  const parsed = cellReportSchema.safeParse(json)
  if (parsed.success) return createReport(parsed.data)
  const issue = parsed.error.issues[0]
  const path = issue?.path.join('.') || '(root)'
  throw new EnergyBenchError('record-invalid', `Not a cell report: ${path}: ${issue?.message}.`, {
    fix: 'Check that the file is whole and comes from this version of energy-bench.',
    cause: parsed.error,
  })
}

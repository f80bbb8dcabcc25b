import { EnergyBenchError } from '@energy-bench/spec'
import { type CellReportData, parseCellReport } from '@energy-bench/sweep'
import { z } from 'zod'
import { type QuickOptions, quickOptionsSchema } from './options.js'

const quickReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  kind: z.literal('quick'),
  createdAt: z.iso.datetime(),
  options: quickOptionsSchema,
  cells: z.array(z.unknown()),
})

/** What `bench quick` writes: one cell report a configuration, and the options that led to them. */
export interface QuickReport {
  readonly schemaVersion: 1
  readonly kind: 'quick'
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly options: QuickOptions
  readonly cells: readonly CellReportData[]
}

/** Reads a report back. Damage throws `record-invalid` that names the place. */
export function parseQuickReport(value: unknown): QuickReport {
  const parsed = quickReportSchema.safeParse(value)
  if (parsed.success) return { ...parsed.data, cells: parsed.data.cells.map(parseCell) }
  const issue = parsed.error.issues[0]
  throw new EnergyBenchError(
    'record-invalid',
    `The report is damaged at ${issue?.path.join('.') ?? 'its root'}: ${issue?.message ?? 'unknown problem'}.`,
    { fix: 'Measure again, or resume the run that wrote it.' },
  )
}

function parseCell(cell: unknown): CellReportData {
  return parseCellReport(cell).toJSON()
}

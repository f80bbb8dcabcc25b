import type { z } from 'zod'
import type { deviceSummarySchema, deviceWindowSchema } from './device-schemas.js'
import type {
  accuracySchema,
  bothSchema,
  flagSchema,
  perCorrectSchema,
  readingsSchema,
  repetitionSchema,
  spreadSchema,
} from './figure-schemas.js'
import type { idleSchema } from './idle-schema.js'
import type { energySchema, itemRecordSchema, powerSchema } from './item-schema.js'
import type { loadingSchema } from './loading-schema.js'
import type { hostSchema, settingsSchema } from './provenance-schema.js'
import type { cellReportSchema } from './schema.js'

type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T

/** One item of one repetition: its answer, its tokens, its time and its gross energy. */
export type ItemRecord = ReadonlyDeep<z.infer<typeof itemRecordSchema>>

/** Everything measured about one cell, as plain data. */
export type CellReportData = ReadonlyDeep<z.infer<typeof cellReportSchema>>

/** A cell report: plain data that can save itself. */
export type CellReport = CellReportData & {
  /** Writes the report as JSON: whole or not at all. */
  save(path: string): Promise<void>
  toJSON(): CellReportData
}

/** Something that a reader must know before quoting a figure. */
export type HonestyFlag = ReadonlyDeep<z.infer<typeof flagSchema>>

/** What decides a result besides model and task; recorded in the report. */
export type MeasureSettings = ReadonlyDeep<z.infer<typeof settingsSchema>>

export type Energy = ReadonlyDeep<z.infer<typeof energySchema>>
export type Power = ReadonlyDeep<z.infer<typeof powerSchema>>
export type Accuracy = ReadonlyDeep<z.infer<typeof accuracySchema>>
export type EnergyPerCorrect = ReadonlyDeep<z.infer<typeof perCorrectSchema>>
export type Both = ReadonlyDeep<z.infer<typeof bothSchema>>
export type Spread = ReadonlyDeep<z.infer<typeof spreadSchema>>
export type Readings = ReadonlyDeep<z.infer<typeof readingsSchema>>
export type Loading = ReadonlyDeep<z.infer<typeof loadingSchema>>
export type Idle = ReadonlyDeep<z.infer<typeof idleSchema>>
export type Repetition = ReadonlyDeep<z.infer<typeof repetitionSchema>>
export type HostInfo = ReadonlyDeep<z.infer<typeof hostSchema>>
/** A device at both ends of an item or of an idle window. */
export type DeviceWindowRecord = ReadonlyDeep<z.infer<typeof deviceWindowSchema>>
export type DeviceSummary = ReadonlyDeep<z.infer<typeof deviceSummarySchema>>

import { z } from 'zod'
import { deviceSummarySchema } from './device-schemas.js'
import { methodSchema, numberSchema } from './fact-schemas.js'
import {
  accuracySchema,
  bothSchema,
  flagSchema,
  outcomesSchema,
  perCorrectSchema,
  readingsSchema,
  repetitionSchema,
  spreadSchema,
  throughputSchema,
} from './figure-schemas.js'
import { idleSchema } from './idle-schema.js'
import { itemRecordSchema, tokensSchema } from './item-schema.js'
import { loadingSchema } from './loading-schema.js'
import {
  backendInfoSchema,
  hostSchema,
  meterSchema,
  settingsSchema,
  taskSchema,
} from './provenance-schema.js'

/** The file format of one measured cell. Unknown fields are refused, so that a damaged file cannot pass. */
export const cellReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  kind: z.literal('cell'),
  cellKey: z.string(),
  label: z.string(),
  createdAt: z.iso.datetime(),
  /** The accounting of every figure that does not name one. */
  accounting: z.literal('net'),
  /** Primary method: where the headline figures come from; null when nothing could be read. */
  method: methodSchema.nullable(),
  tier: z.enum(['A', 'B', 'C', 'D']).nullable(),
  energyNetJ: spreadSchema,
  energyGrossJ: spreadSchema,
  energyPerCorrectJ: perCorrectSchema,
  energyPerCorrectGrossJ: perCorrectSchema,
  energyPerOutputTokenJ: bothSchema,
  energyPerItemJ: bothSchema,
  accuracy: accuracySchema,
  accuracyByGroup: z.record(z.string(), accuracySchema),
  outcomes: outcomesSchema,
  /** Sums over all repetitions; null when the engine did not count one of them. */
  tokens: tokensSchema,
  throughput: throughputSchema,
  /** Time of all generations together, all repetitions. */
  durationS: numberSchema,
  /** Loading the model, apart from all figures above; only where the backend loaded it by itself. */
  loading: loadingSchema.exactOptional(),
  readings: readingsSchema,
  idle: idleSchema,
  honesty: z.array(flagSchema),
  devices: z.array(deviceSummarySchema),
  backend: backendInfoSchema,
  task: taskSchema,
  settings: settingsSchema,
  meter: meterSchema,
  host: hostSchema,
  packageVersion: z.string(),
  energyBenchVersions: z.record(z.string(), z.string()),
  repetitions: z.array(repetitionSchema),
  items: z.array(itemRecordSchema),
})

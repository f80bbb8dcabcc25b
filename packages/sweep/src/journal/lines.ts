import { z } from 'zod'
import { baselineSchema } from '../report/idle-schema.js'
import { itemRecordSchema } from '../report/item-schema.js'

const cellLineSchema = z.strictObject({
  type: z.literal('cell'),
  cellKey: z.string(),
  session: z.string(),
  label: z.string(),
  total: z.int(),
})

const idleLineSchema = z.strictObject({
  type: z.literal('idle'),
  cellKey: z.string(),
  session: z.string(),
  phase: z.enum(['before', 'after']),
  baseline: baselineSchema,
})

const itemLineSchema = itemRecordSchema.extend({
  type: z.literal('item'),
  cellKey: z.string(),
})

export const journalLineSchema = z.discriminatedUnion('type', [
  cellLineSchema,
  idleLineSchema,
  itemLineSchema,
])

/** One line of a journal: the start of a cell, an idle window, or a finished item. */
export type JournalLine = z.infer<typeof journalLineSchema>

import { z } from 'zod'
import { byMethod, numberSchema, orUnavailable } from './fact-schemas.js'
import { powerSchema } from './item-schema.js'

/** Idle power by domain over one window. Equal to what `measureIdle` of the meter package gives. */
export const baselineSchema = z.strictObject({
  startS: numberSchema,
  endS: numberSchema,
  domains: z.record(z.string(), orUnavailable(powerSchema)),
})

const sessionIdleSchema = z.strictObject({
  session: z.string(),
  before: byMethod(orUnavailable(powerSchema)).nullable(),
  after: byMethod(orUnavailable(powerSchema)).nullable(),
})

/** Idle power of the primary method; `sessions` has every method. */
export const idleSchema = z.strictObject({
  before: orUnavailable(powerSchema).nullable(),
  after: orUnavailable(powerSchema).nullable(),
  powerW: orUnavailable(numberSchema),
  uncertaintyW: orUnavailable(numberSchema),
  /** `(after - before) / before`; null when one is missing. */
  driftRatio: numberSchema.nullable(),
  sessions: z.array(sessionIdleSchema),
})

import { z } from 'zod'
import { deviceWindowSchema } from './device-schemas.js'
import { byMethod, numberSchema, orUnavailable } from './fact-schemas.js'
import { powerSchema } from './item-schema.js'

/** Idle power by domain over one window, as `measureIdle` of the meter package gives it, and the devices at its ends. */
export const baselineSchema = z.strictObject({
  startS: numberSchema,
  endS: numberSchema,
  domains: z.record(z.string(), orUnavailable(powerSchema)),
  devices: z.array(deviceWindowSchema).exactOptional(),
})

const sessionIdleSchema = z.strictObject({
  session: z.string(),
  before: byMethod(orUnavailable(powerSchema)).nullable(),
  after: byMethod(orUnavailable(powerSchema)).nullable(),
  devicesBefore: z.array(deviceWindowSchema).exactOptional(),
  devicesAfter: z.array(deviceWindowSchema).exactOptional(),
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

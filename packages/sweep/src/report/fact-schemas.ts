import type { EnergyMethod, UnavailableReason } from '@energy-bench/spec'
import { z } from 'zod'

const reasons = [
  'library-missing',
  'permission-denied',
  'no-device',
  'not-supported',
  'driver-mismatch',
  'device-lost',
  'implausible',
  'counter-reset',
  'no-data',
  'window-invalid',
  'asleep',
  'stalled',
  'failed',
] as const satisfies readonly UnavailableReason[]

const methods = [
  'counter',
  'integrated-power',
  'wall',
  'model',
] as const satisfies readonly EnergyMethod[]

/** Any finite number. JSON knows no other. */
export const numberSchema = z.number()

/** A count: a whole number of 0 or more. */
export const countSchema = z.int().min(0)

/** A ratio of 0 to 1. */
export const shareSchema = z.number().min(0).max(1)

export const methodSchema = z.enum(methods)

export const unavailableSchema = z.strictObject({
  status: z.literal('unavailable'),
  reason: z.enum(reasons),
  detail: z.string(),
  fix: z.string().exactOptional(),
})

const unknownSchema = z.strictObject({ status: z.literal('unknown'), reason: z.string() })

/** A value, or why it could not be read. */
export const orUnavailable = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema, unavailableSchema])

/** A fact of a run, or why it cannot be known. */
export const factOf = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, unknownSchema])

/** A value for some of the four methods. */
export const byMethod = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject({
    counter: schema.exactOptional(),
    'integrated-power': schema.exactOptional(),
    wall: schema.exactOptional(),
    model: schema.exactOptional(),
  })

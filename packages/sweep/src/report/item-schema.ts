import { z } from 'zod'
import { deviceWindowSchema } from './device-schemas.js'
import { byMethod, countSchema, numberSchema, orUnavailable } from './fact-schemas.js'

/** Energy of one window with the standard uncertainty of the reading, joules. */
export const energySchema = z.strictObject({ energyJ: numberSchema, uncertaintyJ: numberSchema })

/** Power with its standard uncertainty, watts. */
export const powerSchema = z.strictObject({ powerW: numberSchema, uncertaintyW: numberSchema })

export const outcomeSchema = z.enum([
  'correct',
  'wrong',
  'unparsed',
  'truncated',
  'refused',
  'empty',
  'timeout',
  'error',
])

export const tokensSchema = z.strictObject({
  inputTokens: countSchema.nullable(),
  cachedInputTokens: countSchema.nullable(),
  outputTokens: countSchema.nullable(),
  thinkingTokens: countSchema.nullable(),
})

/** As the engine gives them, seconds. Reports of before 0.2 have only the first two. */
const timingsSchema = z.strictObject({
  prefillS: numberSchema.nullable(),
  decodeS: numberSchema.nullable(),
  loadS: numberSchema.nullable().default(null),
  queueS: numberSchema.nullable().default(null),
})

export const itemRecordSchema = z.strictObject({
  itemId: z.string(),
  group: z.string().exactOptional(),
  /** Counted from 1. */
  repetition: z.int().min(1),
  session: z.string(),
  outcome: outcomeSchema,
  extracted: z.string().exactOptional(),
  /** The answer with all thinking cut off. */
  output: z.string(),
  /** True when the model was seen to think. */
  thought: z.boolean(),
  finishReason: z.enum(['stop', 'length', 'context-full', 'refused', 'other']).nullable(),
  /** On the clock of the meter; comparable within a session only. */
  startS: numberSchema,
  durationS: z.number().min(0),
  /** From the start to the first piece of text or thinking; null when there was none. */
  firstTokenS: z.number().min(0).nullable(),
  tokens: tokensSchema,
  timings: timingsSchema,
  /** Gross energy by method. */
  energy: byMethod(orUnavailable(energySchema)),
  /** Time between two changes of the most direct reading; null when nothing was read. */
  tickS: z.number().min(0).nullable(),
  devices: z.array(deviceWindowSchema).exactOptional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).exactOptional(),
})

import { meterFlagNames } from '@energy-bench/meter'
import { z } from 'zod'
import {
  countSchema,
  methodSchema,
  numberSchema,
  orUnavailable,
  shareSchema,
  unavailableSchema,
} from './fact-schemas.js'
import { energySchema } from './item-schema.js'

/** Mean and spread over repetitions. `std` and `cvRatio` are null for one repetition. */
export const spreadSchema = orUnavailable(
  z.strictObject({
    mean: numberSchema,
    std: numberSchema.nullable(),
    cvRatio: numberSchema.nullable(),
  }),
)

const claim = {
  level: shareSchema,
  accounting: z.enum(['net', 'gross']),
  method: methodSchema,
}

/** Joules per correct answer: a ratio of sums over items, with its interval. */
export const perCorrectSchema = z.union([
  z.strictObject({
    status: z.literal('ok'),
    value: numberSchema,
    low: numberSchema,
    high: numberSchema,
    /** What the interval comes from: the spread over items, or the wider one over repetitions. */
    interval: z.enum(['items', 'repetitions']),
    ...claim,
  }),
  z.strictObject({ status: z.literal('no-correct'), lowerBound: numberSchema, ...claim }),
  z.strictObject({
    status: z.literal('too-few-correct'),
    lowerBound: numberSchema.nullable(),
    ...claim,
  }),
  unavailableSchema,
])

/** One figure in both accountings. */
export const bothSchema = z.strictObject({
  net: orUnavailable(numberSchema),
  gross: orUnavailable(numberSchema),
})

/** `correct` is the sum of item means over repetitions, `items` the number of distinct items. */
export const accuracySchema = z.strictObject({
  ratio: shareSchema,
  low: shareSchema,
  high: shareSchema,
  correct: z.number().min(0),
  items: countSchema,
})

export const readingSchema = orUnavailable(
  z.strictObject({
    status: z.literal('measured'),
    grossJ: energySchema,
    netJ: orUnavailable(energySchema),
  }),
)

export const readingsSchema = z.strictObject({
  counter: readingSchema,
  'integrated-power': readingSchema,
  wall: readingSchema,
  model: readingSchema,
  /** `(integrated-power - counter) / counter`, gross; null when one is missing. */
  driftRatio: numberSchema.nullable(),
})

export const outcomesSchema = z.strictObject({
  correct: countSchema,
  wrong: countSchema,
  unparsed: countSchema,
  truncated: countSchema,
  refused: countSchema,
  empty: countSchema,
  timeout: countSchema,
  error: countSchema,
})

export const throughputSchema = z.strictObject({
  /** Output tokens over the time of decoding; null when the engine tells too little. */
  decodeTokensPerS: numberSchema.nullable(),
  /** Output tokens over the whole time of the items. */
  outputTokensPerS: numberSchema.nullable(),
  itemsPerS: numberSchema.nullable(),
})

export const flagSchema = z.strictObject({
  name: z.enum([
    ...meterFlagNames,
    'truncated-answers',
    'cached-prompt',
    'thinking-ignored',
    'model-reloaded',
    'many-empty',
    'high-cv',
    'few-repetitions',
    'missing-energy',
    'resumed',
  ]),
  cause: z.string(),
  fix: z.string(),
})

export const repetitionSchema = z.strictObject({
  repetition: z.int().min(1),
  items: countSchema,
  correct: countSchema,
  durationS: numberSchema,
  outputTokens: countSchema.nullable(),
  energyJ: bothSchema,
  energyPerCorrectJ: bothSchema,
})

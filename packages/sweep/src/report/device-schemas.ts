import { z } from 'zod'
import { countSchema, numberSchema, orUnavailable } from './fact-schemas.js'

const rangeSchema = z.strictObject({ min: numberSchema, mean: numberSchema, max: numberSchema })
const temperatureSchema = z.strictObject({
  start: numberSchema,
  end: numberSchema,
  max: numberSchema,
})

/** Seconds for which each cause held the clocks down, by the counters of the driver. */
const throttledSchema = z.record(z.string(), z.number().min(0))

/** What a device said of itself during the measurement; null where it said nothing. */
export const deviceSummarySchema = z.strictObject({
  deviceId: z.string(),
  temperatureC: temperatureSchema.nullable(),
  memoryTemperatureC: temperatureSchema.nullable().exactOptional(),
  clockHz: rangeSchema.nullable(),
  memoryClockHz: rangeSchema.nullable(),
  powerLimitW: rangeSchema.nullable(),
  /** Share of the time in which something held the clocks down, by what was seen at each look. */
  throttledRatio: numberSchema.nullable(),
  throttleReasons: z.array(z.string()),
  throttledS: orUnavailable(throttledSchema).exactOptional(),
  processIds: z.array(countSchema).nullable(),
})

/** A device at one end of a window. */
const edgeSchema = z.strictObject({
  /** On the clock of the meter: the look is up to about a second older than the end of the window. */
  timeS: numberSchema,
  powerW: orUnavailable(numberSchema),
  temperatureC: orUnavailable(numberSchema),
  memoryTemperatureC: orUnavailable(numberSchema).exactOptional(),
  clockHz: orUnavailable(numberSchema),
  memoryClockHz: orUnavailable(numberSchema),
  powerLimitW: orUnavailable(numberSchema),
  throttleReasons: orUnavailable(z.array(z.string())),
})

/** How a device stood at the start and the end of an item or of an idle window. */
export const deviceWindowSchema = z.strictObject({
  deviceId: z.string(),
  start: edgeSchema,
  end: edgeSchema,
  throttledS: orUnavailable(throttledSchema),
})

import { z } from 'zod'
import { byMethod, orUnavailable } from './fact-schemas.js'
import { energySchema } from './item-schema.js'

/** How long a model took to load, and its gross energy by method; unavailable where the meter did not run yet. */
export const loadingSchema = z.strictObject({
  durationS: z.number().min(0),
  energy: byMethod(orUnavailable(energySchema)),
})

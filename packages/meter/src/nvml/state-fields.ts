import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { NativeLibrary } from '../native-library.js'
import type { FieldReader, FieldValue } from './fields.js'
import {
  createViolationReader,
  type ThrottledS,
  throttledIn,
  throttleFields,
} from './throttle-times.js'

/** What a GPU tells of its state in fields. */
export interface StateFields {
  readonly memoryTemperatureC: number | Unavailable
  readonly throttledS: ThrottledS | Unavailable
}

/** Field NVML_FI_DEV_MEMORY_TEMP, degrees Celsius. */
const MEMORY_TEMPERATURE = 82

/** A function that reads these fields in a single call: each call into the driver can take milliseconds. */
export function createStateFieldReader(
  library: NativeLibrary,
  handle: bigint,
  fields: FieldReader,
): () => StateFields {
  const violations = createViolationReader(library, handle)
  return () => {
    const [temperature, ...times] = fields([{ id: MEMORY_TEMPERATURE }, ...throttleFields])
    const counted = throttledIn(times)
    const throttledS = isEmpty(counted) ? violations() : counted
    const failure = times.find(isUnavailable)
    return {
      memoryTemperatureC: temperatureIn(temperature),
      throttledS: isEmpty(throttledS) && failure !== undefined ? failure : throttledS,
    }
  }
}

/** GPUs without such a sensor say 0. */
function temperatureIn(field: FieldValue | Unavailable | undefined): number | Unavailable {
  if (field !== undefined && isUnavailable(field)) return field
  return field === undefined || field.value === 0
    ? unavailable('not-supported', 'the memory has no temperature sensor')
    : field.value
}

function isEmpty(values: ThrottledS): boolean {
  return Object.keys(values).length === 0
}

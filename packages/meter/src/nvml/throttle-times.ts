import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { FieldReader, FieldValue } from './fields.js'
import type { NativeLibrary } from './native-library.js'
import { NVML_SUCCESS } from './status.js'
import { NVML_VALUE_U64 } from './values.js'

/** Seconds since the driver was loaded for which something held the clocks down, by its cause. */
export type ThrottledS = Readonly<Record<string, number>>

/**
 * Fields with cumulative nanoseconds, by the cause they count. NVML 13.1 moved 251 to 253 to 269 to 271, and both
 * places hold other things in the other version; those are not 64 bits wide, so the type tells which is meant.
 */
const causes: readonly (readonly [cause: string, fields: readonly number[]])[] = [
  ['sw-power-cap', [74]],
  ['sw-thermal-slowdown', [75, 269, 251]],
  ['hw-thermal-slowdown', [270, 252]],
  ['hw-power-brake-slowdown', [271, 253]],
]
/** The same for drivers that do not have the fields. */
const policies: readonly (readonly [cause: string, policy: number])[] = [
  ['sw-power-cap', 0],
  ['sw-thermal-slowdown', 1],
]
const VIOLATION = 'nvmlDeviceGetViolationStatus'

/** A function that reads for how long the clocks were held down. What a GPU does not count is left out. */
export function createThrottleTimeReader(
  library: NativeLibrary,
  handle: bigint,
  fields: FieldReader,
): () => ThrottledS | Unavailable {
  const violation = library.find(VIOLATION, ['void *', 'int', 'void *'])
  const ids = causes.flatMap(([, alternatives]) => alternatives)
  const wishes = ids.map((id) => ({ id }))
  return () => {
    const values = fields(wishes)
    const found = causes.flatMap(([cause, alternatives]) => {
      const value = alternatives.map((id) => values[ids.indexOf(id)]).find(isNanoseconds)
      return value === undefined ? [] : [[cause, value.value / 1e9] as const]
    })
    if (found.length > 0) return Object.fromEntries(found)
    const violations = policies.flatMap(([cause, policy]) => {
      const out = Buffer.alloc(16)
      if (violation?.(handle, policy, out) !== NVML_SUCCESS) return []
      return [[cause, Number(out.readBigUInt64LE(8)) / 1e9] as const]
    })
    const failure = values.find(isUnavailable)
    return violations.length === 0 && failure !== undefined
      ? failure
      : Object.fromEntries(violations)
  }
}

function isNanoseconds(value: FieldValue | Unavailable | undefined): value is FieldValue {
  return value !== undefined && !isUnavailable(value) && value.type === NVML_VALUE_U64
}

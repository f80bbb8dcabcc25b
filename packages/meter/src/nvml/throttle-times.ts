import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { NativeLibrary } from '../native-library.js'
import type { FieldValue, FieldWish } from './fields.js'
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

/** The fields that may hold these times. */
export const throttleFields: readonly FieldWish[] = causes.flatMap(([, ids]) =>
  ids.map((id) => ({ id })),
)

/** Times by cause in what was read of `throttleFields`, in their order. What a GPU does not count is left out. */
export function throttledIn(values: readonly (FieldValue | Unavailable)[]): ThrottledS {
  const at = (id: number) => values[throttleFields.findIndex((field) => field.id === id)]
  return Object.fromEntries(
    causes.flatMap(([cause, ids]) => {
      const value = ids.map(at).find(isNanoseconds)
      return value === undefined ? [] : [[cause, value.value / 1e9] as const]
    }),
  )
}

/** A function that reads the same from drivers without the fields. */
export function createViolationReader(library: NativeLibrary, handle: bigint): () => ThrottledS {
  const violation = library.find('nvmlDeviceGetViolationStatus', ['void *', 'int', 'void *'])
  return () =>
    Object.fromEntries(
      policies.flatMap(([cause, policy]) => {
        const out = Buffer.alloc(16)
        if (violation?.(handle, policy, out) !== NVML_SUCCESS) return []
        return [[cause, Number(out.readBigUInt64LE(8)) / 1e9] as const]
      }),
    )
}

function isNanoseconds(value: FieldValue | Unavailable | undefined): value is FieldValue {
  return value !== undefined && !isUnavailable(value) && value.type === NVML_VALUE_U64
}

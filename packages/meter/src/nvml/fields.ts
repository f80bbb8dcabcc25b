import { type Unavailable, unavailable } from '@energy-bench/spec'
import type { NativeLibrary } from '../native-library.js'
import { callNvml } from './call.js'
import { NVML_SUCCESS, nvmlFailure } from './status.js'
import { readNvmlValue } from './values.js'

/** A field of NVML, by its number. Scope of power: 0 the GPU, 1 the module. */
export interface FieldWish {
  readonly id: number
  readonly scope?: number
}

/** A field as the driver gave it; `type` is its nvmlValueType_t. */
export interface FieldValue {
  readonly value: number
  readonly type: number
}

/** Reads several fields in one call; one result a wish. */
export type FieldReader = (wishes: readonly FieldWish[]) => readonly (FieldValue | Unavailable)[]

const NAME = 'nvmlDeviceGetFieldValues'
const ENTRY_BYTES = 40
const SCOPE_OFFSET = 4
const TYPE_OFFSET = 24
const RESULT_OFFSET = 28
const VALUE_OFFSET = 32

/** A function that reads fields of a device. */
export function createFieldReader(library: NativeLibrary, handle: bigint): FieldReader {
  const native = library.find(NAME, ['void *', 'int', 'void *'])
  return (wishes) => {
    // Zeroed each time: what is left in the scope would ask for something else.
    const list = Buffer.alloc(wishes.length * ENTRY_BYTES)
    for (const [index, { id, scope = 0 }] of wishes.entries()) {
      list.writeUInt32LE(id, index * ENTRY_BYTES)
      list.writeUInt32LE(scope, index * ENTRY_BYTES + SCOPE_OFFSET)
    }
    const failure = callNvml(NAME, native, [handle, wishes.length, list])
    return wishes.map(({ id }, index) => {
      const start = index * ENTRY_BYTES
      return failure ?? fieldIn(list.subarray(start, start + ENTRY_BYTES), id)
    })
  }
}

function fieldIn(entry: Buffer, id: number): FieldValue | Unavailable {
  const code = entry.readInt32LE(RESULT_OFFSET)
  if (code !== NVML_SUCCESS) return nvmlFailure(`${NAME}(${id})`, code)
  const type = entry.readInt32LE(TYPE_OFFSET)
  const value = readNvmlValue(entry, { offset: VALUE_OFFSET, type })
  if (value !== undefined && entry.readUInt32LE() === id) return { value, type }
  return unavailable('implausible', `${NAME}(${id}) gave a value of type ${type}`)
}

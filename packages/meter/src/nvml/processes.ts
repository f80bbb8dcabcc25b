import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { NativeFunction, NativeLibrary } from '../native-library.js'
import { NVML_INSUFFICIENT_SIZE, NVML_SUCCESS, nvmlFailure } from './status.js'

const ENTRY_BYTES = 24
/** Early drivers of the 535 branch put 32-byte entries behind the same name. */
const ENTRY_BYTES_EARLY_535 = 32
const ENTRY_BYTES_V1 = 16
const FIRST_ROOM = 8
const MAX_ATTEMPTS = 5
const COMPUTE = 'nvmlDeviceGetComputeRunningProcesses'
const GRAPHICS = 'nvmlDeviceGetGraphicsRunningProcesses'

type ListReader = () => readonly number[] | Unavailable

/** A function that lists the processes that compute or draw on a device. */
export function createProcessReader(library: NativeLibrary, handle: bigint): ListReader {
  const compute = listReader(library, handle, COMPUTE)
  const graphics = listReader(library, handle, GRAPHICS)
  return () => {
    const computing = compute()
    const drawing = graphics()
    if (isUnavailable(computing) && isUnavailable(drawing)) return computing
    return [...new Set([computing, drawing].flatMap((ids) => (isUnavailable(ids) ? [] : ids)))]
  }
}

function listReader(library: NativeLibrary, handle: bigint, name: string): ListReader {
  const types = ['void *', 'void *', 'void *']
  const sizes = [ENTRY_BYTES, ENTRY_BYTES_EARLY_535]
  const version3 = library.find(`${name}_v3`, types)
  if (version3 !== undefined) return listOf(version3, { handle, name: `${name}_v3`, sizes })
  const version2 = library.find(`${name}_v2`, types)
  if (version2 !== undefined) return listOf(version2, { handle, name: `${name}_v2`, sizes })
  const version1 = library.find(name, types)
  if (version1 === undefined) return () => nvmlFailure(`${name}_v3`, 13)
  return listOf(version1, { handle, name, sizes: [ENTRY_BYTES_V1] })
}

interface ListCall {
  readonly handle: bigint
  readonly name: string
  /** Sizes that an entry may have, the likely one first. */
  readonly sizes: readonly number[]
}

function listOf(native: NativeFunction, { handle, name, sizes }: ListCall): ListReader {
  return () => {
    let room = FIRST_ROOM
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const count = Buffer.alloc(4)
      count.writeUInt32LE(room)
      const list = Buffer.alloc(room * ENTRY_BYTES_EARLY_535)
      const code = native(handle, count, list)
      if (code === NVML_SUCCESS) return processIdsIn(list, count.readUInt32LE(), sizes)
      if (code !== NVML_INSUFFICIENT_SIZE) return nvmlFailure(name, code)
      // Some more than it asks for: processes may start between two calls.
      room = Math.max(2 * room, count.readUInt32LE() + FIRST_ROOM)
    }
    return unavailable('failed', `${name} asked for more room ${MAX_ATTEMPTS} times`)
  }
}

/** Process ids in a list of NVML entries; tells the entry sizes apart by ids that cannot be. */
export function processIdsIn(
  list: Buffer,
  count: number,
  sizes: readonly number[] = [ENTRY_BYTES, ENTRY_BYTES_EARLY_535],
): readonly number[] | Unavailable {
  for (const entryBytes of sizes) {
    if (count * entryBytes > list.length) continue
    const ids = Array.from({ length: count }, (_, index) => list.readUInt32LE(index * entryBytes))
    if (ids.every((id) => id !== 0 && id !== 0xffffffff)) return ids
  }
  return unavailable(
    'implausible',
    `the list of processes has ids that cannot be`,
    'Update the NVIDIA driver; early versions of 535 list processes wrongly.',
  )
}

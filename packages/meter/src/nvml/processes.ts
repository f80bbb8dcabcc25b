import { type Unavailable, unavailable } from '@energy-bench/spec'
import type { NativeFunction, NativeLibrary } from './native-library.js'
import { NVML_INSUFFICIENT_SIZE, NVML_SUCCESS, nvmlFailure } from './status.js'

const ENTRY_BYTES = 24
/** Early drivers of the 535 branch put 32-byte entries behind the same name. */
const ENTRY_BYTES_EARLY_535 = 32
const FIRST_ROOM = 8
const MAX_ATTEMPTS = 5
const NAME = 'nvmlDeviceGetComputeRunningProcesses_v3'
const OLDER_NAME = 'nvmlDeviceGetComputeRunningProcesses_v2'

/** A function that lists the processes that compute on a device. */
export function createProcessReader(
  library: NativeLibrary,
  handle: bigint,
): () => readonly number[] | Unavailable {
  const types = ['void *', 'void *', 'void *']
  const native = library.find(NAME, types) ?? library.find(OLDER_NAME, types)
  return () => (native === undefined ? nvmlFailure(NAME, 13) : readProcesses(native, handle))
}

function readProcesses(native: NativeFunction, handle: bigint): readonly number[] | Unavailable {
  let room = FIRST_ROOM
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const count = Buffer.alloc(4)
    count.writeUInt32LE(room)
    const list = Buffer.alloc(room * ENTRY_BYTES_EARLY_535)
    const code = native(handle, count, list)
    if (code === NVML_SUCCESS) return processIdsIn(list, count.readUInt32LE())
    if (code !== NVML_INSUFFICIENT_SIZE) return nvmlFailure(NAME, code)
    // Some more than it asks for: processes may start between two calls.
    room = Math.max(2 * room, count.readUInt32LE() + FIRST_ROOM)
  }
  return unavailable('failed', `${NAME} asked for more room ${MAX_ATTEMPTS} times`)
}

/** Process ids in a list of NVML entries; tells the two entry sizes apart by ids that cannot be. */
export function processIdsIn(list: Buffer, count: number): readonly number[] | Unavailable {
  for (const entryBytes of [ENTRY_BYTES, ENTRY_BYTES_EARLY_535]) {
    const ids = Array.from({ length: count }, (_, index) => list.readUInt32LE(index * entryBytes))
    if (ids.every((id) => id !== 0 && id !== 0xffffffff)) return ids
  }
  return unavailable(
    'implausible',
    `${NAME} gave process ids that cannot be`,
    'Update the NVIDIA driver.',
  )
}

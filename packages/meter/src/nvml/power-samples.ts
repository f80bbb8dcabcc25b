import { type Unavailable, unavailable } from '@energy-bench/spec'
import type { NativeFunction, NativeLibrary } from '../native-library.js'
import { callNvml } from './call.js'
import { NVML_NOT_FOUND, NVML_SUCCESS, nvmlFailure } from './status.js'
import { readNvmlValue } from './values.js'

/** One sample of the buffer of the driver; the time is microseconds of the wall clock, since 1970. */
export interface BufferedPower {
  readonly wallUs: number
  readonly powerW: number
}

/** Gives the samples later than `sinceWallUs` (0: all there are), the oldest first. */
export type PowerSampleReader = (sinceWallUs: number) => readonly BufferedPower[] | Unavailable

const NAME = 'nvmlDeviceGetSamples'
const TOTAL_POWER = 0
const ENTRY_BYTES = 16
const VALUE_OFFSET = 8

/** A function that reads the power samples that the driver takes by itself (on an H200 one each 20 ms, the last 2.4 s). */
export function createPowerSampleReader(library: NativeLibrary, handle: bigint): PowerSampleReader {
  const types = ['void *', 'int', 'uint64_t', 'void *', 'void *', 'void *']
  const native = library.find(NAME, types)
  let room = 0
  return (sinceWallUs) => {
    if (native === undefined) return nvmlFailure(NAME, 13)
    const call = { native, handle, sinceWallUs }
    if (room === 0) {
      const size = bufferSize(call)
      if (typeof size !== 'number') return size
      room = size
    }
    return readBuffer(call, room)
  }
}

interface SampleCall {
  readonly native: NativeFunction
  readonly handle: bigint
  readonly sinceWallUs: number
}

/** Without room for samples the call tells how many there can be. */
function bufferSize({ native, handle }: SampleCall): number | Unavailable {
  const count = Buffer.alloc(4)
  const values = [handle, TOTAL_POWER, 0n, Buffer.alloc(4), count, 0n]
  const failure = callNvml(NAME, native, values)
  if (failure !== undefined) return failure
  const size = count.readUInt32LE()
  // Twice, since the buffer of the driver may grow.
  return size > 0 ? 2 * size : unavailable('not-supported', `${NAME} has no room for power samples`)
}

function readBuffer(call: SampleCall, room: number): readonly BufferedPower[] | Unavailable {
  const type = Buffer.alloc(4)
  const count = Buffer.alloc(4)
  count.writeUInt32LE(room)
  const list = Buffer.alloc(room * ENTRY_BYTES)
  const { native, handle, sinceWallUs } = call
  const code = native(handle, TOTAL_POWER, BigInt(sinceWallUs), type, count, list)
  if (code === NVML_NOT_FOUND) return []
  if (code !== NVML_SUCCESS) return nvmlFailure(NAME, code)
  const length = Math.min(room, count.readUInt32LE())
  return samplesIn(list.subarray(0, length * ENTRY_BYTES), type.readInt32LE())
}

/** Samples in a list of NVML, sorted by time; places that the driver has not filled yet (time 0) are left out. */
export function samplesIn(list: Buffer, type: number): readonly BufferedPower[] | Unavailable {
  const samples: BufferedPower[] = []
  for (let offset = 0; offset < list.length; offset += ENTRY_BYTES) {
    const milliwatts = readNvmlValue(list, { offset: offset + VALUE_OFFSET, type })
    if (milliwatts === undefined)
      return unavailable('implausible', `${NAME} gave values of type ${type}`)
    const wallUs = Number(list.readBigUInt64LE(offset))
    if (wallUs > 0) samples.push({ wallUs, powerW: milliwatts / 1000 })
  }
  return samples.sort((a, b) => a.wallUs - b.wallUs)
}

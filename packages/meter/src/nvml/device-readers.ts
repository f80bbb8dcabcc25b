import type { Unavailable } from '@energy-bench/spec'
import type { NativeFunction, NativeLibrary, NativeValue } from '../native-library.js'
import { callNvml, readText } from './call.js'

type NumberReader = () => number | Unavailable
type PairReader = () => readonly [number, number] | Unavailable

const HANDLE = 'void *'
const OUT = 'void *'
const MEMORY_V2_BYTES = 40
/** Size and version of the struct, as the call wants them in its first field. */
const MEMORY_V2_VERSION = 0x02000028
const TOTAL_OFFSET_V2 = 8

/** The few shapes that almost all queries of NVML have. `unit` turns the native number into ours. */
export function createReaders(library: NativeLibrary, handle: bigint) {
  const flag = (name: string): (() => boolean | Unavailable) => {
    const native = library.find(name, [HANDLE, OUT])
    const out = Buffer.alloc(4)
    return () => callNvml(name, native, [handle, out]) ?? out[0] === 1
  }
  return {
    flag,
    text(name: string): () => string | Unavailable {
      const native = library.find(name, [HANDLE, OUT, 'uint'])
      return () => readText(name, native, [handle])
    },
    narrow: (name: string, unit: number): NumberReader =>
      narrowReader(name, library.find(name, [HANDLE, OUT]), { before: [handle], unit }),
    chosen: (name: string, choice: number, unit: number): NumberReader =>
      narrowReader(name, library.find(name, [HANDLE, 'int', OUT]), {
        before: [handle, choice],
        unit,
      }),
    wide(name: string, unit: number): NumberReader {
      const native = library.find(name, [HANDLE, OUT])
      const out = Buffer.alloc(8)
      return () => callNvml(name, native, [handle, out]) ?? Number(out.readBigUInt64LE()) * unit
    },
    pair(name: string, unit: number): PairReader {
      const native = library.find(name, [HANDLE, OUT, OUT])
      const [first, second] = [Buffer.alloc(4), Buffer.alloc(4)]
      return () =>
        callNvml(name, native, [handle, first, second]) ?? [
          first.readUInt32LE() * unit,
          second.readUInt32LE() * unit,
        ]
    },
    memory: (): NumberReader => memoryReader(library, handle),
    /** For a mode that has a current and a pending value. */
    currentFlag(name: string): () => boolean | Unavailable {
      const native = library.find(name, [HANDLE, OUT, OUT])
      const current = Buffer.alloc(4)
      return () => callNvml(name, native, [handle, current, Buffer.alloc(4)]) ?? current[0] === 1
    },
  }
}

/** The first version of the struct counts what the driver keeps for itself as used, the total is the same. */
function memoryReader(library: NativeLibrary, handle: bigint): NumberReader {
  const newer = library.find('nvmlDeviceGetMemoryInfo_v2', [HANDLE, OUT])
  const older = library.find('nvmlDeviceGetMemoryInfo', [HANDLE, OUT])
  return () => {
    const out = Buffer.alloc(MEMORY_V2_BYTES)
    out.writeUInt32LE(MEMORY_V2_VERSION)
    if (newer?.(handle, out) === 0) return Number(out.readBigUInt64LE(TOTAL_OFFSET_V2))
    return (
      callNvml('nvmlDeviceGetMemoryInfo', older, [handle, out]) ?? Number(out.readBigUInt64LE())
    )
  }
}

interface NarrowCall {
  readonly before: readonly NativeValue[]
  readonly unit: number
}

function narrowReader(
  name: string,
  native: NativeFunction | undefined,
  { before, unit }: NarrowCall,
): NumberReader {
  const out = Buffer.alloc(4)
  return () => callNvml(name, native, [...before, out]) ?? out.readUInt32LE() * unit
}

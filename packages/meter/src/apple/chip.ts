import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { KoffiFunc, LibraryHandle } from 'koffi'
import { koffi } from '../koffi.js'
import { bind } from './libraries.js'

/** One kind of core, for example 12 `Performance` cores. */
export interface PerformanceLevel {
  readonly name: string
  readonly cores: number
}

/** What the machine says of itself. */
export interface Chip {
  /** For example `Apple M3 Max`. */
  readonly name: string | Unavailable
  /** Machine model, for example `Mac15,9`. */
  readonly model: string | Unavailable
  readonly memoryBytes: number | Unavailable
  /** Fastest first; empty when the machine does not tell. */
  readonly levels: readonly PerformanceLevel[]
}

type Sysctl = KoffiFunc<
  (name: string, into: Buffer, size: (number | bigint)[], from: null, length: number) => number
>

const MAX_BYTES = 256

/** Reads name, memory and kinds of cores by sysctl from libSystem at `path`. */
export function readChip(path: string): Chip | Unavailable {
  const sysctl = bind(path, declare)
  if (isUnavailable(sysctl)) return sysctl
  return {
    name: textOf(sysctl, 'machdep.cpu.brand_string'),
    model: textOf(sysctl, 'hw.model'),
    memoryBytes: integerOf(sysctl, 'hw.memsize'),
    levels: levelsOf(sysctl),
  }
}

function declare(library: LibraryHandle): Sysctl {
  const size = koffi().inout(koffi().pointer('size_t'))
  return library.func('sysctlbyname', 'int', ['str', 'void *', size, 'void *', 'size_t'])
}

function levelsOf(sysctl: Sysctl): readonly PerformanceLevel[] {
  const count = integerOf(sysctl, 'hw.nperflevels')
  if (isUnavailable(count)) return []
  const levels = Array.from({ length: Math.min(count, 8) }, (_, index) => ({
    name: textOf(sysctl, `hw.perflevel${index}.name`),
    cores: integerOf(sysctl, `hw.perflevel${index}.physicalcpu`),
  }))
  return levels.flatMap(({ name, cores }, index) =>
    isUnavailable(cores) ? [] : [{ name: isUnavailable(name) ? `level ${index}` : name, cores }],
  )
}

function textOf(sysctl: Sysctl, name: string): string | Unavailable {
  const bytes = bytesOf(sysctl, name)
  if (isUnavailable(bytes)) return bytes
  const [text = ''] = bytes.toString('utf8').trim().split('\0')
  return text === '' ? unavailable('no-data', `sysctl ${name} is empty`) : text
}

function integerOf(sysctl: Sysctl, name: string): number | Unavailable {
  const bytes = bytesOf(sysctl, name)
  if (isUnavailable(bytes)) return bytes
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE())
  if (bytes.length === 4) return bytes.readUInt32LE()
  return unavailable('failed', `sysctl ${name} has ${bytes.length} bytes`)
}

function bytesOf(sysctl: Sysctl, name: string): Buffer | Unavailable {
  const bytes = Buffer.alloc(MAX_BYTES)
  const size: (number | bigint)[] = [MAX_BYTES]
  if (sysctl(name, bytes, size, null, 0) !== 0) {
    return unavailable('not-supported', `sysctl ${name} could not be read`)
  }
  return bytes.subarray(0, Number(size[0]))
}

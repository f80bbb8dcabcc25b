import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { KoffiFunc, LibraryHandle } from 'koffi'
import { bind } from './libraries.js'

/** The tick counter that drivers stamp their publications with. It stands still while the machine sleeps. */
export interface MachClock {
  /** Time awake since start-up, seconds. */
  awakeS(): number
  /** A stamp on the same scale, seconds. */
  stampS(ticks: bigint): number
}

interface Functions {
  readonly timebase: KoffiFunc<(into: Buffer) => number>
  readonly ticks: KoffiFunc<() => number | bigint>
}

/** Binds the clock of libSystem at `path`. */
export function openMachClock(path: string): MachClock | Unavailable {
  const library = bind(path, declare)
  if (isUnavailable(library)) return library
  const info = Buffer.alloc(8)
  const failed = library.timebase(info) !== 0
  const [numerator, denominator] = [info.readUInt32LE(0), info.readUInt32LE(4)]
  if (failed || numerator === 0 || denominator === 0) {
    return unavailable('failed', `mach_timebase_info said ${numerator}/${denominator}`)
  }
  const secondsPerTick = numerator / denominator / 1e9
  return {
    awakeS: () => Number(library.ticks()) * secondsPerTick,
    stampS: (ticks) => Number(ticks) * secondsPerTick,
  }
}

function declare(library: LibraryHandle): Functions {
  return {
    timebase: library.func('mach_timebase_info', 'int', ['void *']),
    ticks: library.func('mach_absolute_time', 'uint64', []),
  }
}

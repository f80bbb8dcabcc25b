import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { NativeFunction, NativeLibrary, NativeValue } from '../native-library.js'
import { callNvml } from '../nvml/call.js'
import { loadNvmlLibrary } from '../nvml/library.js'
import { NVML_SUCCESS } from '../nvml/status.js'
import { setterFailure } from './setter-failure.js'

/** Lowest and highest value that a GPU accepts; the unit is that of the function that gives it. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** One GPU whose limits can be changed. Watts and hertz; nothing here throws. Setters give nothing when it went well. */
export interface KnobDevice extends Disposable {
  readonly uuid: string
  /** The limit that was asked for last, watts. */
  powerLimitW(): number | Unavailable
  /** The limit that holds, the lowest of all limits there are, watts. */
  enforcedPowerLimitW(): number | Unavailable
  defaultPowerLimitW(): number | Unavailable
  /** Watts. */
  powerLimitRangeW(): Range | Unavailable
  /** Graphics clock at this moment, hertz. */
  clockHz(): number | Unavailable
  /** Graphics clocks of the highest performance state, hertz. */
  clockRangeHz(): Range | Unavailable
  /** Sent as whole milliwatts. */
  setPowerLimitW(limitW: number): Unavailable | undefined
  /** Sent as whole megahertz. */
  setLockedClocksHz(range: Range): Unavailable | undefined
  resetLockedClocks(): Unavailable | undefined
}

const HANDLE = 'void *'
const OUT = 'void *'
const CLOCK_GRAPHICS = 0
const HIGHEST_STATE = 0
const FUNCTION_NOT_FOUND = 13
const HZ_PER_MHZ = 1e6
const MW_PER_W = 1000

/** Opens NVML and one GPU by UUID, and keeps both open until disposed: without persistence mode the limit ends with the last client. */
export function openKnobDevice(uuid: string, libraryPath?: string): KnobDevice | Unavailable {
  const library = loadNvmlLibrary(libraryPath)
  if (isUnavailable(library)) return library
  const failure = callNvml('nvmlInit_v2', library.find('nvmlInit_v2', []), [])
  if (failure !== undefined) return failure
  const shutdown = library.find('nvmlShutdown', [])
  const out = Buffer.alloc(8)
  const byUuid = library.find('nvmlDeviceGetHandleByUUID', ['str', OUT])
  const missing = callNvml('nvmlDeviceGetHandleByUUID', byUuid, [uuid, out])
  if (missing === undefined) {
    const handle = out.readBigUInt64LE()
    const close = () => void shutdown?.()
    return { ...createKnobs(library, handle), uuid, [Symbol.dispose]: close }
  }
  shutdown?.()
  return missing
}

type Knobs = Omit<KnobDevice, 'uuid' | typeof Symbol.dispose>

function createKnobs(library: NativeLibrary, handle: bigint): Knobs {
  return { ...createReaders(library, handle), ...createSetters(library, handle) }
}

function createSetters(library: NativeLibrary, handle: bigint) {
  const power = library.find('nvmlDeviceSetPowerManagementLimit', [HANDLE, 'uint'])
  const lock = library.find('nvmlDeviceSetGpuLockedClocks', [HANDLE, 'uint', 'uint'])
  const reset = library.find('nvmlDeviceResetGpuLockedClocks', [HANDLE])
  return {
    setPowerLimitW: (limitW: number) =>
      callSetter('nvmlDeviceSetPowerManagementLimit', power, [
        handle,
        Math.round(limitW * MW_PER_W),
      ]),
    setLockedClocksHz: ({ min, max }: Range) =>
      callSetter('nvmlDeviceSetGpuLockedClocks', lock, [
        handle,
        Math.round(min / HZ_PER_MHZ),
        Math.round(max / HZ_PER_MHZ),
      ]),
    resetLockedClocks: () => callSetter('nvmlDeviceResetGpuLockedClocks', reset, [handle]),
  }
}

function callSetter(
  name: string,
  native: NativeFunction | undefined,
  values: readonly NativeValue[],
): Unavailable | undefined {
  const code = native === undefined ? FUNCTION_NOT_FOUND : native(...values)
  return code === NVML_SUCCESS ? undefined : setterFailure(name, code)
}

function createReaders(library: NativeLibrary, handle: bigint) {
  const limits = 'nvmlDeviceGetPowerManagementLimitConstraints'
  const constraints = library.find(limits, [HANDLE, OUT, OUT])
  const power = (name: string) => {
    const native = library.find(name, [HANDLE, OUT])
    return () => readNumber(name, native, { before: [handle], toUnit: toWatts })
  }
  const clock = (name: string) => {
    const native = library.find(name, [HANDLE, 'int', OUT])
    return () => readNumber(name, native, { before: [handle, CLOCK_GRAPHICS], toUnit: toHertz })
  }
  return {
    powerLimitW: power('nvmlDeviceGetPowerManagementLimit'),
    enforcedPowerLimitW: power('nvmlDeviceGetEnforcedPowerLimit'),
    defaultPowerLimitW: power('nvmlDeviceGetPowerManagementDefaultLimit'),
    powerLimitRangeW: () => readRange(limits, constraints, { before: [handle], toUnit: toWatts }),
    clockHz: clock('nvmlDeviceGetClockInfo'),
    clockRangeHz: clockRangeReader(library, handle, clock('nvmlDeviceGetMaxClockInfo')),
  }
}

function clockRangeReader(
  library: NativeLibrary,
  handle: bigint,
  maxClockHz: () => number | Unavailable,
): () => Range | Unavailable {
  const name = 'nvmlDeviceGetMinMaxClockOfPState'
  const native = library.find(name, [HANDLE, 'int', 'int', OUT, OUT])
  const call = { before: [handle, CLOCK_GRAPHICS, HIGHEST_STATE], toUnit: toHertz }
  return () => {
    const range = readRange(name, native, call)
    if (!isUnavailable(range) && range.max > 0) return range
    // Older drivers tell only the highest clock.
    const max = maxClockHz()
    return isUnavailable(max) ? max : { min: HZ_PER_MHZ, max }
  }
}

interface NumberCall {
  readonly before: readonly NativeValue[]
  readonly toUnit: (native: number) => number
}

function readNumber(
  name: string,
  native: NativeFunction | undefined,
  { before, toUnit }: NumberCall,
): number | Unavailable {
  const out = Buffer.alloc(4)
  return callNvml(name, native, [...before, out]) ?? toUnit(out.readUInt32LE())
}

function readRange(
  name: string,
  native: NativeFunction | undefined,
  { before, toUnit }: NumberCall,
): Range | Unavailable {
  const min = Buffer.alloc(4)
  const max = Buffer.alloc(4)
  const failure = callNvml(name, native, [...before, min, max])
  return failure ?? { min: toUnit(min.readUInt32LE()), max: toUnit(max.readUInt32LE()) }
}

function toWatts(milliwatts: number): number {
  return milliwatts / MW_PER_W
}

function toHertz(megahertz: number): number {
  return megahertz * HZ_PER_MHZ
}

import type { Unavailable } from '@energy-bench/spec'
import { callNvml, readText, textIn } from './call.js'
import type { NativeFunction, NativeLibrary, NativeValue } from './native-library.js'
import { createProcessReader } from './processes.js'
import { throttleNames } from './throttle.js'

/** One GPU. Units are those of the rest of this project; nothing here throws. */
export interface NvmlDevice {
  uuid(): string | Unavailable
  name(): string | Unavailable
  /** For example `00000000:00:06.0`. */
  pciBusId(): string | Unavailable
  /** Since the driver was loaded, joules. From Volta on. */
  totalEnergyJ(): number | Unavailable
  /** Watts; on most GPUs since Ampere the mean of the last second. */
  powerW(): number | Unavailable
  powerLimitW(): number | Unavailable
  enforcedPowerLimitW(): number | Unavailable
  defaultPowerLimitW(): number | Unavailable
  temperatureC(): number | Unavailable
  clockHz(): number | Unavailable
  memoryClockHz(): number | Unavailable
  throttleReasons(): readonly string[] | Unavailable
  memoryBytes(): number | Unavailable
  processIds(): readonly number[] | Unavailable
  isMig(): boolean | Unavailable
}

const HANDLE = 'void *'
const OUT = 'void *'
const CLOCK_SM = 1
const CLOCK_MEMORY = 2
const TEMPERATURE_GPU = 0
const PCI_INFO_BYTES = 68
const PCI_BUS_ID_OFFSET = 36
const EVENT_REASONS = 'nvmlDeviceGetCurrentClocksEventReasons'
/** The same function, as drivers before 535 call it. */
const THROTTLE_REASONS = 'nvmlDeviceGetCurrentClocksThrottleReasons'

/** Takes the functions for one device out of the library. The handle never leaves this file. */
export function createDevice(library: NativeLibrary, handle: bigint): NvmlDevice {
  const readers = createReaders(library, handle)
  const reasons =
    library.find(EVENT_REASONS, [HANDLE, OUT]) ?? library.find(THROTTLE_REASONS, [HANDLE, OUT])
  const pciInfo = library.find('nvmlDeviceGetPciInfo_v3', [HANDLE, OUT])
  const processes = createProcessReader(library, handle)
  return {
    uuid: readers.text('nvmlDeviceGetUUID'),
    name: readers.text('nvmlDeviceGetName'),
    pciBusId() {
      const out = Buffer.alloc(PCI_INFO_BYTES)
      const failure = callNvml('nvmlDeviceGetPciInfo_v3', pciInfo, [handle, out])
      return failure ?? textIn(out.subarray(PCI_BUS_ID_OFFSET))
    },
    totalEnergyJ: readers.wide('nvmlDeviceGetTotalEnergyConsumption', 1e-3),
    powerW: readers.narrow('nvmlDeviceGetPowerUsage', 1e-3),
    powerLimitW: readers.narrow('nvmlDeviceGetPowerManagementLimit', 1e-3),
    enforcedPowerLimitW: readers.narrow('nvmlDeviceGetEnforcedPowerLimit', 1e-3),
    defaultPowerLimitW: readers.narrow('nvmlDeviceGetPowerManagementDefaultLimit', 1e-3),
    temperatureC: readers.chosen('nvmlDeviceGetTemperature', TEMPERATURE_GPU, 1),
    clockHz: readers.chosen('nvmlDeviceGetClockInfo', CLOCK_SM, 1e6),
    memoryClockHz: readers.chosen('nvmlDeviceGetClockInfo', CLOCK_MEMORY, 1e6),
    throttleReasons() {
      const out = Buffer.alloc(8)
      return callNvml(EVENT_REASONS, reasons, [handle, out]) ?? throttleNames(out.readBigUInt64LE())
    },
    memoryBytes: readers.memory(),
    processIds: processes,
    isMig: readers.mig(),
  }
}

type NumberReader = () => number | Unavailable

/** The few shapes that almost all queries of NVML have. `unit` turns the native number into ours. */
function createReaders(library: NativeLibrary, handle: bigint) {
  return {
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
    memory(): NumberReader {
      const native = library.find('nvmlDeviceGetMemoryInfo', [HANDLE, OUT])
      const out = Buffer.alloc(24)
      return () =>
        callNvml('nvmlDeviceGetMemoryInfo', native, [handle, out]) ?? Number(out.readBigUInt64LE())
    },
    mig(): () => boolean | Unavailable {
      const native = library.find('nvmlDeviceGetMigMode', [HANDLE, OUT, OUT])
      const current = Buffer.alloc(4)
      return () =>
        callNvml('nvmlDeviceGetMigMode', native, [handle, current, Buffer.alloc(4)]) ??
        current[0] === 1
    },
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

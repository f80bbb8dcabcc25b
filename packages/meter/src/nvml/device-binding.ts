import type { Unavailable } from '@energy-bench/spec'
import { findFirst, type NativeLibrary } from '../native-library.js'
import { callNvml, textIn } from './call.js'
import { createReaders } from './device-readers.js'
import { createFieldReader, type FieldReader } from './fields.js'
import { createPowerSampleReader, type PowerSampleReader } from './power-samples.js'
import { createProcessReader } from './processes.js'
import { createStateFieldReader, type StateFields } from './state-fields.js'
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
  /** The samples that the driver takes by itself. */
  readonly powerSamples: PowerSampleReader
  readonly fields: FieldReader
  powerLimitW(): number | Unavailable
  enforcedPowerLimitW(): number | Unavailable
  defaultPowerLimitW(): number | Unavailable
  /** Least and most that the limit can be set to. */
  powerLimitRangeW(): readonly [minW: number, maxW: number] | Unavailable
  temperatureC(): number | Unavailable
  clockHz(): number | Unavailable
  memoryClockHz(): number | Unavailable
  throttleReasons(): readonly string[] | Unavailable
  /** Temperature of the memory and throttle times. */
  stateFields(): StateFields
  /** Not supported where the GPU shares the memory of the machine. */
  memoryBytes(): number | Unavailable
  /** Processes that compute or draw. */
  processIds(): readonly number[] | Unavailable
  isMig(): boolean | Unavailable
  /** Whether errors in its memory are corrected. */
  isEcc(): boolean | Unavailable
  /** While it is off, the driver may unload with its last user, and the counter then starts anew. */
  isPersistent(): boolean | Unavailable
  /** Number of nvmlDeviceArchitecture_t. */
  architecture(): number | Unavailable
  computeCapability(): readonly [major: number, minor: number] | Unavailable
  /** 0 none, 1 passed through, 2 virtual GPU, 3 and 4 host of virtual GPUs. */
  virtualizationMode(): number | Unavailable
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
  const reasons = findFirst(library, [EVENT_REASONS, THROTTLE_REASONS], [HANDLE, OUT])
  const fields = createFieldReader(library, handle)
  return {
    uuid: readers.text('nvmlDeviceGetUUID'),
    name: readers.text('nvmlDeviceGetName'),
    pciBusId: createBusIdReader(library, handle),
    totalEnergyJ: readers.wide('nvmlDeviceGetTotalEnergyConsumption', 1e-3),
    powerW: readers.narrow('nvmlDeviceGetPowerUsage', 1e-3),
    powerSamples: createPowerSampleReader(library, handle),
    fields,
    powerLimitW: readers.narrow('nvmlDeviceGetPowerManagementLimit', 1e-3),
    enforcedPowerLimitW: readers.narrow('nvmlDeviceGetEnforcedPowerLimit', 1e-3),
    defaultPowerLimitW: readers.narrow('nvmlDeviceGetPowerManagementDefaultLimit', 1e-3),
    powerLimitRangeW: readers.pair('nvmlDeviceGetPowerManagementLimitConstraints', 1e-3),
    temperatureC: readers.chosen('nvmlDeviceGetTemperature', TEMPERATURE_GPU, 1),
    clockHz: readers.chosen('nvmlDeviceGetClockInfo', CLOCK_SM, 1e6),
    memoryClockHz: readers.chosen('nvmlDeviceGetClockInfo', CLOCK_MEMORY, 1e6),
    throttleReasons() {
      const out = Buffer.alloc(8)
      return callNvml(EVENT_REASONS, reasons, [handle, out]) ?? throttleNames(out.readBigUInt64LE())
    },
    stateFields: createStateFieldReader(library, handle, fields),
    memoryBytes: readers.memory(),
    processIds: createProcessReader(library, handle),
    isMig: readers.currentFlag('nvmlDeviceGetMigMode'),
    isEcc: readers.currentFlag('nvmlDeviceGetEccMode'),
    isPersistent: readers.flag('nvmlDeviceGetPersistenceMode'),
    architecture: readers.narrow('nvmlDeviceGetArchitecture', 1),
    computeCapability: readers.pair('nvmlDeviceGetCudaComputeCapability', 1),
    virtualizationMode: readers.narrow('nvmlDeviceGetVirtualizationMode', 1),
  }
}

/** Older versions of the struct are shorter at its end, where the newest has the long form of the id. */
function createBusIdReader(library: NativeLibrary, handle: bigint): () => string | Unavailable {
  const newest = library.find('nvmlDeviceGetPciInfo_v3', [HANDLE, OUT])
  const names = ['nvmlDeviceGetPciInfo_v2', 'nvmlDeviceGetPciInfo']
  const native = newest ?? findFirst(library, names, [HANDLE, OUT])
  const offset = newest === undefined ? 0 : PCI_BUS_ID_OFFSET
  return () => {
    const out = Buffer.alloc(PCI_INFO_BYTES)
    const failure = callNvml('nvmlDeviceGetPciInfo_v3', native, [handle, out])
    return failure ?? textIn(out.subarray(offset))
  }
}

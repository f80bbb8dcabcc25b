import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { findFirst, type NativeFunction, type NativeLibrary } from '../native-library.js'
import { callNvml, readText } from './call.js'
import { createDevice, type NvmlDevice } from './device-binding.js'
import { loadNvmlLibrary } from './library.js'
import { NVML_SUCCESS, nvmlFailure } from './status.js'

/** NVML, open. Native units and codes stay inside; a call that fails gives an `Unavailable`. */
export interface Nvml {
  readonly libraryPath: string
  driverVersion(): string | Unavailable
  nvmlVersion(): string | Unavailable
  /** Newest CUDA that the driver runs, for example `12.8`. */
  cudaVersion(): string | Unavailable
  deviceCount(): number | Unavailable
  deviceByIndex(index: number): NvmlDevice | Unavailable
  deviceByUuid(uuid: string): NvmlDevice | Unavailable
  deviceByPciBusId(busId: string): NvmlDevice | Unavailable
  /** The GPU of which a MIG slice is a part. */
  parentOfMig(uuid: string): NvmlDevice | Unavailable
  /** Gives the library back; the last one out lets the driver sleep. */
  shutdown(): void
}

/** Loads and initialises NVML. `libraryPath` replaces the usual places. */
export function openNvml(
  libraryPath?: string,
  architecture: string = process.arch,
): Nvml | Unavailable {
  // Seen with 580 drivers: the 32-bit library gives success and garbage.
  if (architecture === 'ia32' || architecture === 'arm') {
    return unavailable(
      'not-supported',
      `NVML gives wrong values to 32-bit programs, and this is ${architecture}`,
      'Use a 64-bit Node.js.',
    )
  }
  const library = loadNvmlLibrary(libraryPath)
  if (isUnavailable(library)) return library
  // This does not touch the GPUs; the first handle of a GPU does.
  const init = findFirst(library, ['nvmlInit_v2', 'nvmlInit'], [])
  if (init === undefined) {
    return unavailable(
      'library-missing',
      `${library.path} has no nvmlInit_v2, so it is not NVML`,
      'Update the NVIDIA driver.',
    )
  }
  const code = init()
  return code === NVML_SUCCESS ? createNvml(library) : nvmlFailure('nvmlInit_v2', code)
}

function createNvml(library: NativeLibrary): Nvml {
  const driver = library.find('nvmlSystemGetDriverVersion', ['void *', 'uint'])
  const version = library.find('nvmlSystemGetNVMLVersion', ['void *', 'uint'])
  const shutdown = library.find('nvmlShutdown', [])
  return {
    libraryPath: library.path,
    driverVersion: () => readText('nvmlSystemGetDriverVersion', driver, []),
    nvmlVersion: () => readText('nvmlSystemGetNVMLVersion', version, []),
    cudaVersion() {
      const number = readNumber(library, 'nvmlSystemGetCudaDriverVersion_v2')
      return isUnavailable(number) ? number : cudaVersionIn(number)
    },
    deviceCount: () => readNumber(library, 'nvmlDeviceGetCount_v2'),
    ...handleReaders(library),
    shutdown() {
      shutdown?.()
    },
  }
}

function handleReaders(
  library: NativeLibrary,
): Pick<Nvml, 'deviceByIndex' | 'deviceByUuid' | 'deviceByPciBusId' | 'parentOfMig'> {
  const index = ['nvmlDeviceGetHandleByIndex_v2', 'nvmlDeviceGetHandleByIndex']
  const bus = ['nvmlDeviceGetHandleByPciBusId_v2', 'nvmlDeviceGetHandleByPciBusId']
  const byIndex = findFirst(library, index, ['uint', 'void *'])
  const byUuid = library.find('nvmlDeviceGetHandleByUUID', ['str', 'void *'])
  const byBus = findFirst(library, bus, ['str', 'void *'])
  const toParent = 'nvmlDeviceGetDeviceHandleFromMigDeviceHandle'
  const byMig = library.find(toParent, ['void *', 'void *'])
  const uuidCall = 'nvmlDeviceGetHandleByUUID'
  return {
    deviceByIndex: (number) => readDevice(library, index[0] ?? '', bindFirst(byIndex, number)),
    deviceByUuid: (uuid) => readDevice(library, uuidCall, bindFirst(byUuid, uuid)),
    deviceByPciBusId: (id) => readDevice(library, bus[0] ?? '', bindFirst(byBus, id)),
    parentOfMig(uuid) {
      const slice = readHandle(uuidCall, bindFirst(byUuid, uuid))
      if (isUnavailable(slice)) return slice
      return readDevice(library, toParent, bindFirst(byMig, slice))
    },
  }
}

/** A number that a function without further arguments gives; `name` ends in its version, and older ones will do. */
function readNumber(library: NativeLibrary, name: string): number | Unavailable {
  const native = findFirst(library, [name, name.replace(/_v2$/, '')], ['void *'])
  const out = Buffer.alloc(4)
  return callNvml(name, native, [out]) ?? out.readUInt32LE()
}

/** For example 12080 is 12.8. */
function cudaVersionIn(number: number): string {
  return `${Math.trunc(number / 1000)}.${Math.trunc((number % 1000) / 10)}`
}

function bindFirst(
  native: NativeFunction | undefined,
  first: number | bigint | string,
): NativeFunction | undefined {
  return native === undefined ? undefined : (...rest) => native(first, ...rest)
}

function readHandle(name: string, native: NativeFunction | undefined): bigint | Unavailable {
  const out = Buffer.alloc(8)
  return callNvml(name, native, [out]) ?? out.readBigUInt64LE()
}

function readDevice(
  library: NativeLibrary,
  name: string,
  native: NativeFunction | undefined,
): NvmlDevice | Unavailable {
  const handle = readHandle(name, native)
  return isUnavailable(handle) ? handle : createDevice(library, handle)
}

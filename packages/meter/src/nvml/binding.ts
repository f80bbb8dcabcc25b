import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { callNvml, readText } from './call.js'
import { createDevice, type NvmlDevice } from './device-binding.js'
import { loadNvmlLibrary, type NativeFunction, type NativeLibrary } from './native-library.js'
import { NVML_SUCCESS, nvmlFailure } from './status.js'

/** NVML, open. Native units and codes stay inside; a call that fails gives an `Unavailable`. */
export interface Nvml {
  readonly libraryPath: string
  driverVersion(): string | Unavailable
  deviceCount(): number | Unavailable
  deviceByIndex(index: number): NvmlDevice | Unavailable
  deviceByUuid(uuid: string): NvmlDevice | Unavailable
  /** Gives the library back; the last one out lets the driver sleep. */
  shutdown(): void
}

/** Loads and initialises NVML. `libraryPath` replaces the usual places. */
export function openNvml(libraryPath?: string): Nvml | Unavailable {
  const library = loadNvmlLibrary(libraryPath)
  if (isUnavailable(library)) return library
  const init = library.find('nvmlInit_v2', [])
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
  const version = library.find('nvmlSystemGetDriverVersion', ['void *', 'uint'])
  const count = library.find('nvmlDeviceGetCount_v2', ['void *'])
  const byIndex = library.find('nvmlDeviceGetHandleByIndex_v2', ['uint', 'void *'])
  const byUuid = library.find('nvmlDeviceGetHandleByUUID', ['str', 'void *'])
  const shutdown = library.find('nvmlShutdown', [])
  return {
    libraryPath: library.path,
    driverVersion: () => readText('nvmlSystemGetDriverVersion', version, []),
    deviceCount() {
      const out = Buffer.alloc(4)
      return callNvml('nvmlDeviceGetCount_v2', count, [out]) ?? out.readUInt32LE()
    },
    deviceByIndex: (index) =>
      readDevice(library, 'nvmlDeviceGetHandleByIndex_v2', bindFirst(byIndex, index)),
    deviceByUuid: (uuid) =>
      readDevice(library, 'nvmlDeviceGetHandleByUUID', bindFirst(byUuid, uuid)),
    shutdown() {
      shutdown?.()
    },
  }
}

function bindFirst(
  native: NativeFunction | undefined,
  first: number | string,
): NativeFunction | undefined {
  return native === undefined ? undefined : (...rest) => native(first, ...rest)
}

function readDevice(
  library: NativeLibrary,
  name: string,
  native: NativeFunction | undefined,
): NvmlDevice | Unavailable {
  const out = Buffer.alloc(8)
  return callNvml(name, native, [out]) ?? createDevice(library, out.readBigUInt64LE())
}

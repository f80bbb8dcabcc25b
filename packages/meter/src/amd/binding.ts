import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { findFunctions, loadLibrary, type NativeFunction, readHandles } from '../native-library.js'
import { layoutOf, type PowerInfoLayout, powerIn, STRUCT_BYTES } from './abi.js'
import { amdSmiPaths } from './library-paths.js'
import { amdSmiFailure } from './status.js'

/** One GPU as AMD SMI shows it. Nothing here throws. */
export interface AmdSmiGpu {
  /** For example `0000:03:00.0`. */
  readonly bdf: string
  readonly uuid: string | Unavailable
  /** Since some moment in the past, microjoules. */
  energyUj(): number | Unavailable
  /** Watts, of the whole socket. */
  powerW(): number | Unavailable
}

/** AMD SMI, open. No handle leaves this file. */
export interface AmdSmi {
  readonly libraryPath: string
  readonly version: number
  readonly gpus: readonly AmdSmiGpu[]
  shutdown(): void
}

type Functions = Readonly<Record<keyof typeof SIGNATURES, NativeFunction>>

const INIT_GPUS = 2n
const UUID_BYTES = 64
const SIGNATURES = {
  amdsmi_init: ['uint64_t'],
  amdsmi_shut_down: [],
  amdsmi_get_lib_version: ['void *'],
  amdsmi_get_socket_handles: ['void *', 'void *'],
  amdsmi_get_processor_handles: ['void *', 'void *', 'void *'],
  amdsmi_get_gpu_device_bdf: ['void *', 'void *'],
  amdsmi_get_gpu_device_uuid: ['void *', 'void *', 'void *'],
  amdsmi_get_energy_count: ['void *', 'void *', 'void *', 'void *'],
  amdsmi_get_power_info: ['void *', 'void *'],
} as const

/** Loads and initialises AMD SMI. This opens, and so wakes, every AMD GPU of the machine. */
export function openAmdSmi(
  libraryPath?: string,
  env: NodeJS.ProcessEnv = process.env,
): AmdSmi | Unavailable {
  const library = loadLibrary(libraryPath === undefined ? amdSmiPaths(env) : [libraryPath], {
    name: 'AMD SMI',
    fix: 'Install the package amd-smi-lib of ROCm, or set AMDSMI_LIB_DIR.',
  })
  if (isUnavailable(library)) return library
  const functions = findFunctions(library, SIGNATURES, 'Use AMD SMI of ROCm 6.0 or newer.')
  if (isUnavailable(functions)) return functions
  const status = functions.amdsmi_init(INIT_GPUS)
  if (status !== 0) return amdSmiFailure('amdsmi_init', status)
  const opened = createAmdSmi(library.path, functions)
  if (isUnavailable(opened)) functions.amdsmi_shut_down()
  return opened
}

function createAmdSmi(libraryPath: string, functions: Functions): AmdSmi | Unavailable {
  const version = Buffer.alloc(STRUCT_BYTES)
  const status = functions.amdsmi_get_lib_version(version)
  if (status !== 0) return amdSmiFailure('amdsmi_get_lib_version', status)
  const number = version.readUInt32LE(0)
  const layout = layoutOf(number)
  if (isUnavailable(layout)) return layout
  const gpus = listGpus(functions, layout)
  if (isUnavailable(gpus)) return gpus
  return {
    libraryPath,
    version: number,
    gpus,
    shutdown() {
      functions.amdsmi_shut_down()
    },
  }
}

function listGpus(
  functions: Functions,
  layout: PowerInfoLayout,
): readonly AmdSmiGpu[] | Unavailable {
  const sockets = readHandles(functions.amdsmi_get_socket_handles)
  if (typeof sockets === 'number') return amdSmiFailure('amdsmi_get_socket_handles', sockets)
  return sockets
    .flatMap((socket) => {
      const handles = readHandles((count, out) =>
        functions.amdsmi_get_processor_handles(socket, count, out),
      )
      return typeof handles === 'number' ? [] : handles
    })
    .map((handle) => createGpu(functions, layout, handle))
    .filter((gpu) => gpu !== undefined)
}

function createGpu(
  functions: Functions,
  layout: PowerInfoLayout,
  handle: bigint,
): AmdSmiGpu | undefined {
  const address = Buffer.alloc(8)
  if (functions.amdsmi_get_gpu_device_bdf(handle, address) !== 0) return undefined
  return {
    bdf: formatBdf(address.readBigUInt64LE()),
    uuid: readUuid(functions, handle),
    energyUj: () => readEnergy(functions, handle),
    powerW() {
      const info = Buffer.alloc(STRUCT_BYTES)
      const status = functions.amdsmi_get_power_info(handle, info)
      return status === 0 ? powerIn(info, layout) : amdSmiFailure('amdsmi_get_power_info', status)
    },
  }
}

function readEnergy(functions: Functions, handle: bigint): number | Unavailable {
  const count = Buffer.alloc(8)
  const step = Buffer.alloc(4)
  const time = Buffer.alloc(8)
  const status = functions.amdsmi_get_energy_count(handle, count, step, time)
  if (status !== 0) return amdSmiFailure('amdsmi_get_energy_count', status)
  const value = count.readBigUInt64LE()
  const stepUj = step.readFloatLE()
  if (value < 2n ** 63n && stepUj > 0 && stepUj < 1e6) return Number(value) * stepUj
  return unavailable('implausible', `AMD SMI counted ${value} steps of ${stepUj} microjoules`)
}

function readUuid(functions: Functions, handle: bigint): string | Unavailable {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(UUID_BYTES)
  const out = Buffer.alloc(UUID_BYTES)
  const status = functions.amdsmi_get_gpu_device_uuid(handle, length, out)
  if (status !== 0) return amdSmiFailure('amdsmi_get_gpu_device_uuid', status)
  return out.toString('latin1').replace(/\0.*$/s, '')
}

/** Function 3 bits, device 5, bus 8, the rest domain. */
function formatBdf(bits: bigint): string {
  const hex = (shift: bigint, width: bigint, digits: number): string =>
    ((bits >> shift) & ((1n << width) - 1n)).toString(16).padStart(digits, '0')
  return `${hex(16n, 48n, 4)}:${hex(8n, 8n, 2)}:${hex(3n, 5n, 2)}.${hex(0n, 3n, 1)}`
}

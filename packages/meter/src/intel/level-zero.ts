import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import {
  allocate,
  findFunctions,
  loadLibrary,
  type NativeFunction,
  type NativeMemory,
  readHandles,
} from '../native-library.js'
import { levelZeroFailure } from './level-zero-status.js'
import { fillPowerQuery, POWER_QUERY_BYTES, readBdf, readPowerScope } from './level-zero-structs.js'
import type { ScopedCounter } from './power-domains.js'

/** One energy counter of a GPU. */
export interface LevelZeroCounter extends ScopedCounter {
  /** Since some moment in the past, microjoules. */
  energyUj(): number | Unavailable
}

/** One GPU as Level Zero shows it. */
export interface LevelZeroGpu {
  /** For example `0000:03:00.0`. */
  readonly bdf: string
  readonly counters: readonly LevelZeroCounter[] | Unavailable
}

/** Level Zero Sysman, open. No handle leaves this file. */
export interface LevelZero {
  readonly libraryPath: string
  readonly gpus: readonly LevelZeroGpu[]
}

const SIGNATURES = {
  zesInit: ['uint32_t'],
  zesDriverGet: ['void *', 'void *'],
  zesDeviceGet: ['void *', 'void *', 'void *'],
  zesDevicePciGetProperties: ['void *', 'void *'],
  zesDeviceEnumPowerDomains: ['void *', 'void *', 'void *'],
  zesPowerGetProperties: ['void *', 'void *'],
  zesPowerGetEnergyCounter: ['void *', 'void *'],
} as const

type Functions = Readonly<Record<keyof typeof SIGNATURES, NativeFunction>>

const PATHS = ['libze_loader.so.1', '/usr/lib/x86_64-linux-gnu/libze_loader.so.1']

/** Loads and initialises Level Zero Sysman. This wakes every Intel GPU of the machine. It has no way to close. */
export function openLevelZero(libraryPath?: string): LevelZero | Unavailable {
  const library = loadLibrary(libraryPath === undefined ? PATHS : [libraryPath], {
    name: 'Level Zero',
    fix: 'Install the packages libze1 and libze-intel-gpu1 (or level-zero and intel-level-zero-gpu).',
  })
  if (isUnavailable(library)) return library
  const functions = findFunctions(library, SIGNATURES, 'Use the Level Zero loader 1.10 or newer.')
  if (isUnavailable(functions)) return functions
  const result = functions.zesInit(0)
  if (result !== 0) return levelZeroFailure('zesInit', result)
  const gpus = listGpus(functions)
  return isUnavailable(gpus) ? gpus : { libraryPath: library.path, gpus }
}

function listGpus(functions: Functions): readonly LevelZeroGpu[] | Unavailable {
  const drivers = readHandles(functions.zesDriverGet)
  if (typeof drivers === 'number') return levelZeroFailure('zesDriverGet', drivers)
  return drivers
    .flatMap((driver) => {
      const devices = readHandles((count, out) => functions.zesDeviceGet(driver, count, out))
      return typeof devices === 'number' ? [] : devices
    })
    .map((device) => createGpu(functions, device))
    .filter((gpu) => gpu !== undefined)
}

function createGpu(functions: Functions, device: bigint): LevelZeroGpu | undefined {
  const bdf = readBdf((properties) => functions.zesDevicePciGetProperties(device, properties))
  if (bdf === undefined) return undefined
  const domains = readHandles((count, out) =>
    functions.zesDeviceEnumPowerDomains(device, count, out),
  )
  if (typeof domains === 'number') {
    return { bdf, counters: levelZeroFailure('zesDeviceEnumPowerDomains', domains) }
  }
  const memory = allocate(POWER_QUERY_BYTES)
  const counters = domains.map((domain) => createCounter(functions, domain, memory))
  memory.free()
  return { bdf, counters }
}

function createCounter(
  functions: Functions,
  domain: bigint,
  memory: NativeMemory,
): LevelZeroCounter {
  fillPowerQuery(memory)
  const result = functions.zesPowerGetProperties(domain, memory.address)
  const scope: ScopedCounter =
    result === 0 ? readPowerScope(memory.bytes) : { scope: 'unknown', isTile: false }
  const counter = Buffer.alloc(16)
  return {
    ...scope,
    energyUj() {
      const code = functions.zesPowerGetEnergyCounter(domain, counter)
      // The time stamp behind the energy has a base of its own, so that it cannot be used here.
      return code === 0
        ? Number(counter.readBigUInt64LE())
        : levelZeroFailure('zesPowerGetEnergyCounter', code)
    },
  }
}

import { isUnavailable } from '@energy-bench/spec'
import type { NvmlDevice } from './device-binding.js'

/**
 * Where the power comes from: the sample buffer of the driver, field 186 (now), `nvmlDeviceGetPowerUsage` (the mean of
 * the last second from Ampere on, else now), or field 186 of the module where the GPU alone has none.
 */
export type PowerKind = 'samples' | 'instant' | 'average' | 'usage' | 'module'

interface KindFacts {
  readonly detail: string
  readonly note: string
  readonly averagingS: number
  readonly intervalS: number
}

/** Power changes every 69 to 100 ms on an H200, so that more reads would say nothing new. */
const READ_INTERVAL_S = 0.05
/** The buffer holds 2.4 s; a window is known one such interval after its end, so that it is no longer. */
const BUFFER_INTERVAL_S = 0.5

/** What each kind means for its readers and for the timeline. */
export const powerKinds: Readonly<Record<PowerKind, KindFacts>> = {
  samples: {
    detail: 'power samples of the driver, trapezoids',
    note: 'The power samples that the driver takes by itself (nvmlDeviceGetSamples), integrated',
    averagingS: 0,
    intervalS: BUFFER_INTERVAL_S,
  },
  instant: {
    detail: 'instant power (field 186) polled, trapezoids',
    note: 'The instant power (NVML field 186), polled and integrated; what happens between two polls is missed',
    averagingS: 0,
    intervalS: READ_INTERVAL_S,
  },
  average: {
    detail: 'mean power of the last second polled, trapezoids',
    note: 'NVML power usage, a mean over 1 s, polled and integrated; short windows come out smeared',
    averagingS: 1,
    intervalS: READ_INTERVAL_S,
  },
  usage: {
    detail: 'power usage polled, trapezoids',
    note: 'NVML power usage, on this GPU the power of the moment, polled and integrated',
    averagingS: 0,
    intervalS: READ_INTERVAL_S,
  },
  module: {
    detail: 'instant power of the module (field 186, scope 1) polled, trapezoids',
    note: 'The instant power of the whole module, GPU and CPU (NVML field 186, scope 1), polled and integrated',
    averagingS: 0,
    intervalS: READ_INTERVAL_S,
  },
}

const AMPERE = 7
const UNKNOWN_ARCHITECTURE = 0xffffffff

/** What `nvmlDeviceGetPowerUsage` means on a device: GA100 (compute capability 8.0) and older GPUs do not average. */
export function usageKind(device: NvmlDevice): 'average' | 'usage' {
  const architecture = device.architecture()
  if (isUnavailable(architecture) || architecture === UNKNOWN_ARCHITECTURE) return 'average'
  const capability = device.computeCapability()
  const isGa100 = !isUnavailable(capability) && capability[0] === 8 && capability[1] === 0
  return architecture < AMPERE || isGa100 ? 'usage' : 'average'
}

import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { Nvml } from './binding.js'
import type { NvmlDevice } from './device-binding.js'
import { openPowerReader, type PowerReader, untilSampling } from './power-reader.js'
import type { Clocks } from './wall-clock.js'

/** A GPU that is metered. */
export interface Gpu {
  readonly uuid: string
  readonly name: string
  readonly device: NvmlDevice
  readonly power: PowerReader
  /** More than this is not believed, watts. */
  readonly maxPowerW: number
  readonly counterId: string
  readonly powerId: string
  /** The first read of the counter. */
  readonly counter: number | Unavailable
  /** Its counter covers the whole module, with the CPU and its memory. */
  readonly isSuperchip: boolean
}

/** No single GPU draws more; a 32-bit library is known to say 3.7 million. */
const MAX_GPU_W = 2000
const MAX_MODULE_W = 4000
const LIMIT_MARGIN = 1.5
/** Enough for two samples of the driver. */
const SAMPLING_PAUSE_MS = 50
/** GPUs on one module with a Grace CPU, whose counter is known to cover the module. */
const SUPERCHIP = /\bG[HB]\d00\b/

/** Opens the GPU with this UUID. */
export async function openGpu(
  nvml: Nvml,
  uuid: string,
  clocks: Clocks,
): Promise<Gpu | Unavailable> {
  const device = nvml.deviceByUuid(uuid)
  if (isUnavailable(device)) return device
  await untilSampling(device, () => delay(SAMPLING_PAUSE_MS))
  const said = device.name()
  const name = isUnavailable(said) ? uuid : said
  const isSuperchip = SUPERCHIP.test(name)
  const maxPowerW = isSuperchip ? MAX_MODULE_W : maxPowerOf(device)
  return {
    uuid,
    name,
    device,
    power: openPowerReader(device, { ...clocks, maxPowerW }),
    maxPowerW,
    counterId: `nvml:${uuid}:counter`,
    powerId: `nvml:${uuid}:power`,
    counter: device.totalEnergyJ(),
    isSuperchip,
  }
}

function maxPowerOf(device: NvmlDevice): number {
  const range = device.powerLimitRangeW()
  const limitW = isUnavailable(range) ? device.defaultPowerLimitW() : range[1]
  return isUnavailable(limitW) || limitW === 0
    ? MAX_GPU_W
    : Math.min(MAX_GPU_W, LIMIT_MARGIN * limitW)
}

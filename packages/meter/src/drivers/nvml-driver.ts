import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { type Nvml, openNvml } from '../nvml/binding.js'
import type { NvmlDevice } from '../nvml/device-binding.js'
import { type GpuCandidate, type GpuChoice, selectGpus } from '../nvml/select-gpus.js'
import type { DetectOptions, Driver, DriverFound } from './driver.js'

/** NVIDIA GPUs through NVML. */
export const nvmlDriver: Driver = {
  id: 'nvml',
  name: 'NVML',
  async detect(options) {
    const nvml = openNvml(options.nvmlLibraryPath)
    if (isUnavailable(nvml)) return nvml
    const found = find(nvml, options)
    nvml.shutdown()
    return found
  },
}

function find(nvml: Nvml, options: DetectOptions): DriverFound | Unavailable {
  const candidates = listGpus(nvml)
  if (isUnavailable(candidates)) return candidates
  const choice = selectGpus(candidates, wishOf(options))
  if (isUnavailable(choice)) return choice
  return (
    choice.gpus.map((gpu) => readable(nvml, gpu.uuid)).find(isUnavailable) ??
    foundOf(choice, options)
  )
}

function wishOf(options: DetectOptions): Parameters<typeof selectGpus>[1] {
  const cudaVisibleDevices = (options.environment ?? process.env).CUDA_VISIBLE_DEVICES
  return {
    ...(options.devices === undefined ? {} : { devices: options.devices }),
    ...(options.processIds === undefined ? {} : { processIds: options.processIds }),
    ...(cudaVisibleDevices === undefined ? {} : { cudaVisibleDevices }),
  }
}

function listGpus(nvml: Nvml): readonly GpuCandidate[] | Unavailable {
  const count = nvml.deviceCount()
  if (isUnavailable(count)) return count
  const gpus: GpuCandidate[] = []
  const failures: Unavailable[] = []
  for (let index = 0; index < count; index += 1) {
    const gpu = candidateOf(nvml.deviceByIndex(index), index)
    if (isUnavailable(gpu)) failures.push(gpu)
    else gpus.push(gpu)
  }
  // One GPU without permission must not hide the others.
  return gpus.length === 0 ? (failures[0] ?? gpus) : gpus
}

function candidateOf(device: NvmlDevice | Unavailable, index: number): GpuCandidate | Unavailable {
  if (isUnavailable(device)) return device
  const uuid = device.uuid()
  if (isUnavailable(uuid)) return uuid
  const processIds = device.processIds()
  return {
    index,
    uuid,
    isMig: device.isMig() === true,
    processIds: isUnavailable(processIds) ? [] : processIds,
  }
}

/** A GPU counts as found when it gives energy or at least power. */
function readable(nvml: Nvml, uuid: string): true | Unavailable {
  const device = nvml.deviceByUuid(uuid)
  if (isUnavailable(device)) return device
  const energy = device.totalEnergyJ()
  if (!isUnavailable(energy)) return true
  const power = device.powerW()
  if (!isUnavailable(power)) return true
  return unavailable(
    energy.reason,
    `${uuid}: ${energy.detail}, ${power.detail}`,
    energy.fix ?? power.fix,
  )
}

/** One source a GPU: each counter ticks at its own moment, and a read of one must not wait for the others. */
function foundOf(choice: GpuChoice, options: DetectOptions): DriverFound {
  const library =
    options.nvmlLibraryPath === undefined ? {} : { libraryPath: options.nvmlLibraryPath }
  return {
    status: 'available',
    detail: choice.why,
    specs: choice.gpus.map((gpu) => ({ kind: 'nvml', devices: [gpu.uuid], ...library })),
  }
}

import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { Nvml } from './binding.js'
import { normalBusId } from './bus-id.js'
import type { NvmlDevice } from './device-binding.js'
import type { GpuCandidate } from './select-gpus.js'
import { type KernelGpu, type KernelRoots, listKernelGpus } from './suspended-gpus.js'

/**
 * Lists the GPUs from which to choose. A suspended GPU is told from what the kernel knows: its handle alone would wake
 * it and cost watts. (That NVML is initialised may wake it too, with some drivers; nothing can be done about that.)
 */
export function listGpus(nvml: Nvml, roots?: KernelRoots): readonly GpuCandidate[] | Unavailable {
  const known = listKernelGpus(roots)
  const found = known.some((gpu) => gpu.isSuspended) ? byKernel(nvml, known) : byIndex(nvml)
  if (isUnavailable(found)) return found
  const gpus = found.filter((gpu): gpu is GpuCandidate => !isUnavailable(gpu))
  // One GPU without permission must not hide the others.
  return gpus.length === 0 ? (found.find(isUnavailable) ?? gpus) : gpus
}

function byIndex(nvml: Nvml): readonly (GpuCandidate | Unavailable)[] | Unavailable {
  const count = nvml.deviceCount()
  if (isUnavailable(count)) return count
  return Array.from({ length: count }, (_, index) => candidateOf(nvml.deviceByIndex(index), index))
}

/** NVML counts GPUs in the order of the bus, as the kernel lists them. */
function byKernel(
  nvml: Nvml,
  known: readonly KernelGpu[],
): readonly (GpuCandidate | Unavailable)[] {
  return known.map((gpu, index) =>
    gpu.isSuspended ? asleep(gpu, index) : candidateOf(nvml.deviceByPciBusId(gpu.busId), index),
  )
}

function asleep({ busId, uuid, name }: KernelGpu, index: number): GpuCandidate {
  return {
    index,
    uuid: uuid ?? busId,
    name: name ?? busId,
    busId,
    isMig: false,
    isAsleep: true,
    processIds: [],
  }
}

function candidateOf(device: NvmlDevice | Unavailable, index: number): GpuCandidate | Unavailable {
  if (isUnavailable(device)) return device
  const uuid = device.uuid()
  if (isUnavailable(uuid)) return uuid
  const name = device.name()
  const busId = device.pciBusId()
  const processIds = device.processIds()
  return {
    index,
    uuid,
    name: isUnavailable(name) ? uuid : name,
    busId: isUnavailable(busId) ? '' : (normalBusId(busId) ?? busId),
    isMig: device.isMig() === true,
    isAsleep: false,
    processIds: isUnavailable(processIds) ? [] : processIds,
  }
}

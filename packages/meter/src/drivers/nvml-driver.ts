import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { DeviceFacts } from '../device-facts.js'
import { type Nvml, openNvml } from '../nvml/binding.js'
import type { NvmlDevice } from '../nvml/device-binding.js'
import { gpuFacts } from '../nvml/facts.js'
import { listGpus } from '../nvml/list-gpus.js'
import { type GpuCandidate, type GpuChoice, type GpuWish, selectGpus } from '../nvml/select-gpus.js'
import type { DetectOptions, Driver, DriverFound } from './driver.js'

/** NVIDIA GPUs through NVML. */
export const nvmlDriver: Driver = {
  id: 'nvml',
  name: 'NVML',
  whyAbsent: ({ platform = process.platform, nvmlLibraryPath }) =>
    platform === 'darwin' && nvmlLibraryPath === undefined
      ? unavailable('not-supported', 'macOS has no NVIDIA driver')
      : undefined,
  async detect(options) {
    const nvml = openNvml(options.nvmlLibraryPath)
    if (isUnavailable(nvml)) return nvml
    const found = find(nvml, options)
    nvml.shutdown()
    return found
  },
}

function find(nvml: Nvml, options: DetectOptions): DriverFound | Unavailable {
  const candidates = listGpus(nvml, options)
  if (isUnavailable(candidates)) return candidates
  const choice = selectGpus(candidates, wishOf(nvml, options))
  if (isUnavailable(choice)) return choice
  const tries = choice.gpus.map((gpu) => ({ uuid: gpu.uuid, facts: readableGpu(nvml, gpu) }))
  const readable = tries.flatMap(({ facts }) => (isUnavailable(facts) ? [] : [facts]))
  const mute = tries.filter(({ facts }) => isUnavailable(facts) && facts.reason === 'not-supported')
  // A card for a screen beside the one that works must not end the run, unless it was meant.
  const areLeftOut = choice.byDefault === true && readable.length > 0
  const left = areLeftOut ? mute.map(({ uuid }) => uuid) : []
  const broken = tries.flatMap(({ uuid, facts }) =>
    isUnavailable(facts) && !left.includes(uuid) ? [facts] : [],
  )
  if (broken[0] !== undefined) return broken[0]
  return foundOf({ ...choice, why: `${choice.why}${leftOut(left)}` }, readable, options)
}

function leftOut(uuids: readonly string[]): string {
  if (uuids.length === 0) return ''
  return `; ${uuids.join(', ')} is left out, since it tells neither its energy nor its power`
}

function wishOf(nvml: Nvml, options: DetectOptions): GpuWish {
  const environment = options.environment ?? process.env
  const { CUDA_VISIBLE_DEVICES: visibleDevices, CUDA_DEVICE_ORDER: deviceOrder } = environment
  const order = deviceOrder === undefined ? {} : { deviceOrder }
  const named = Array.isArray(options.devices) ? options.devices : []
  return {
    ...(options.devices === undefined ? {} : { devices: options.devices }),
    ...(options.processIds === undefined ? {} : { processIds: options.processIds }),
    ...(visibleDevices === undefined ? {} : { cuda: { visibleDevices, ...order } }),
    migParents: migParents(nvml, [...named, ...(visibleDevices ?? '').split(',')]),
  }
}

/** The GPU of each MIG slice among the names. */
function migParents(nvml: Nvml, names: readonly string[]): ReadonlyMap<string, string> {
  const slices = names.map((name) => name.trim()).filter((name) => name.startsWith('MIG-'))
  return new Map(
    slices.flatMap((slice) => {
      const parent = nvml.parentOfMig(slice)
      const uuid = isUnavailable(parent) ? parent : parent.uuid()
      return isUnavailable(uuid) ? [] : [[slice, uuid] as const]
    }),
  )
}

/** The facts of a GPU that gives energy or at least power. */
function readableGpu(nvml: Nvml, gpu: GpuCandidate): DeviceFacts | Unavailable {
  const device = openChosen(nvml, gpu)
  if (isUnavailable(device)) return device
  const uuid = device.uuid()
  if (isUnavailable(uuid)) return uuid
  const facts = gpuFacts(nvml, device, uuid)
  const { counter } = facts
  const power = device.powerW()
  if (!isUnavailable(counter) || !isUnavailable(power)) return facts
  return unavailable(
    counter.reason,
    `${gpu.uuid}: ${counter.detail}, ${power.detail}`,
    counter.fix ?? power.fix,
  )
}

/** A GPU that sleeps may be known by its bus address alone. */
function openChosen(nvml: Nvml, gpu: GpuCandidate): NvmlDevice | Unavailable {
  return gpu.uuid === gpu.busId ? nvml.deviceByPciBusId(gpu.busId) : nvml.deviceByUuid(gpu.uuid)
}

/** One source a GPU: each counter ticks at its own moment, and a read of one must not wait for the others. */
function foundOf(
  choice: GpuChoice,
  devices: readonly DeviceFacts[],
  options: DetectOptions,
): DriverFound {
  const library =
    options.nvmlLibraryPath === undefined ? {} : { libraryPath: options.nvmlLibraryPath }
  return {
    status: 'available',
    detail: choice.why,
    specs: devices.map(({ id }) => ({ kind: 'nvml', devices: [id], ...library })),
    devices,
  }
}

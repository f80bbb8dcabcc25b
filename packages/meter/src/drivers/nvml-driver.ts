import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { type Nvml, openNvml } from '../nvml/binding.js'
import type { NvmlDevice } from '../nvml/device-binding.js'
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
  const tries = choice.gpus.map((gpu) => ({ gpu, uuid: readableUuid(nvml, gpu) }))
  const readable = tries.flatMap(({ uuid }) => (isUnavailable(uuid) ? [] : [uuid]))
  const mute = tries.filter(({ uuid }) => isUnavailable(uuid) && uuid.reason === 'not-supported')
  // A card for a screen beside the one that works must not end the run, unless it was meant.
  const areLeftOut = choice.byDefault === true && readable.length > 0
  const left = areLeftOut ? mute.map(({ gpu }) => gpu.uuid) : []
  const broken = tries.find(({ gpu, uuid }) => isUnavailable(uuid) && !left.includes(gpu.uuid))
  if (broken !== undefined && isUnavailable(broken.uuid)) return broken.uuid
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

/** The UUID of a GPU that gives energy or at least power. */
function readableUuid(nvml: Nvml, gpu: GpuCandidate): string | Unavailable {
  const device = openChosen(nvml, gpu)
  if (isUnavailable(device)) return device
  const energy = device.totalEnergyJ()
  if (!isUnavailable(energy)) return device.uuid()
  const power = device.powerW()
  if (!isUnavailable(power)) return device.uuid()
  return unavailable(
    energy.reason,
    `${gpu.uuid}: ${energy.detail}, ${power.detail}`,
    energy.fix ?? power.fix,
  )
}

/** A GPU that sleeps may be known by its bus address alone. */
function openChosen(nvml: Nvml, gpu: GpuCandidate): NvmlDevice | Unavailable {
  return gpu.uuid === gpu.busId ? nvml.deviceByPciBusId(gpu.busId) : nvml.deviceByUuid(gpu.uuid)
}

/** One source a GPU: each counter ticks at its own moment, and a read of one must not wait for the others. */
function foundOf(choice: GpuChoice, uuids: readonly string[], options: DetectOptions): DriverFound {
  const library =
    options.nvmlLibraryPath === undefined ? {} : { libraryPath: options.nvmlLibraryPath }
  return {
    status: 'available',
    detail: choice.why,
    specs: uuids.map((uuid) => ({ kind: 'nvml', devices: [uuid], ...library })),
  }
}

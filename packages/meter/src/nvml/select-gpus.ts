import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { normalBusId } from './bus-id.js'
import { byCudaVariable, type CudaWish } from './cuda-visible.js'

/** A GPU that can be chosen. */
export interface GpuCandidate {
  /** In the order of NVML. */
  readonly index: number
  /** Bus address in its place while the driver has not told it. */
  readonly uuid: string
  readonly name: string
  /** For example `0000:65:00.0`. */
  readonly busId: string
  readonly isMig: boolean
  /** Suspended: it is metered only when it is named. */
  readonly isAsleep: boolean
  readonly processIds: readonly number[]
}

/** Which GPUs to meter. The first that is given decides: process ids (when found), devices, the CUDA variable, all. */
export interface GpuWish {
  /** `all`, or UUIDs, beginnings of UUIDs, bus addresses, UUIDs of MIG slices, or indices of NVML. */
  readonly devices?: 'all' | readonly string[]
  /** Processes whose GPUs are meant. */
  readonly processIds?: readonly number[]
  readonly cuda?: CudaWish
  /** UUID of the GPU of each MIG slice that is named in `devices` or by CUDA. */
  readonly migParents?: ReadonlyMap<string, string>
}

/** The chosen GPUs and the reason, one sentence. */
export interface GpuChoice {
  readonly gpus: readonly GpuCandidate[]
  readonly why: string
  /** Set when the processes decided. */
  readonly byProcess?: true
  /** Set when nobody decided, so that all GPUs are taken. */
  readonly byDefault?: true
}

/** Chooses GPUs; pure. */
export function selectGpus(
  candidates: readonly GpuCandidate[],
  wish: GpuWish,
): GpuChoice | Unavailable {
  if (candidates.length === 0)
    return unavailable('no-device', 'NVML sees no GPU', 'Check the list of `nvidia-smi -L`.')
  const processIds = wish.processIds ?? []
  const choice = byProcess(candidates, processIds) ?? byName(candidates, wish)
  if (isUnavailable(choice) || processIds.length === 0 || choice.byProcess === true) return choice
  return {
    ...choice,
    why: `${choice.why} (process ${processIds.join(', ')} was not found on any GPU, as happens in containers)`,
  }
}

function byProcess(
  candidates: readonly GpuCandidate[],
  processIds: readonly number[],
): GpuChoice | undefined {
  const gpus = candidates.filter((gpu) => gpu.processIds.some((id) => processIds.includes(id)))
  if (gpus.length === 0) return undefined
  return {
    gpus,
    byProcess: true,
    why: `process ${processIds.join(', ')} runs on ${gpus.map((gpu) => gpu.uuid).join(', ')}`,
  }
}

function byName(candidates: readonly GpuCandidate[], wish: GpuWish): GpuChoice | Unavailable {
  if (wish.devices === 'all') return { gpus: candidates, why: 'all GPUs were asked for' }
  if (wish.devices !== undefined) return byDevices(candidates, wish.devices, wish.migParents)
  if (wish.cuda === undefined) return allAwake(candidates)
  return byCudaVariable(candidates, wish.cuda, wish.migParents)
}

function allAwake(candidates: readonly GpuCandidate[]): GpuChoice | Unavailable {
  const gpus = candidates.filter((gpu) => !gpu.isAsleep)
  const asleep = candidates.filter((gpu) => gpu.isAsleep).map((gpu) => gpu.busId)
  const why = 'all GPUs, since none was named'
  if (asleep.length === 0) return { gpus, why, byDefault: true }
  if (gpus.length > 0)
    return { gpus, byDefault: true, why: `${why}, except ${asleep.join(', ')}, which is suspended` }
  return unavailable(
    'asleep',
    `the GPU ${asleep.join(', ')} is suspended, and reading it would wake it`,
    'Start the work on it first, or name the GPU as the device to meter.',
  )
}

function byDevices(
  candidates: readonly GpuCandidate[],
  devices: readonly string[],
  migParents: GpuWish['migParents'],
): GpuChoice | Unavailable {
  const found = devices.map((device) => findGpus(candidates, device, migParents))
  const ambiguous = found.findIndex((gpus) => gpus.length > 1)
  if (ambiguous >= 0) {
    const matches = (found[ambiguous] ?? []).map((gpu) => gpu.uuid).join(', ')
    const detail = `${devices[ambiguous]} is the beginning of more than one GPU: ${matches}`
    return unavailable('no-device', detail, 'Name more of it.')
  }
  const missing = devices.filter((_, index) => found[index]?.length === 0)
  if (devices.length > 0 && missing.length === 0) {
    return { gpus: unique(found.flat()), why: `devices ${devices.join(', ')} were asked for` }
  }
  const known = candidates.map((gpu) => `${gpu.index}: ${gpu.uuid} (${gpu.busId})`).join(', ')
  return unavailable(
    'no-device',
    `no GPU ${missing.join(', ')}; there are ${known}`,
    'Name one of these.',
  )
}

/** The GPUs that a name can mean. */
function findGpus(
  candidates: readonly GpuCandidate[],
  device: string,
  migParents: GpuWish['migParents'],
): readonly GpuCandidate[] {
  if (/^\d+$/.test(device)) return candidates.filter((gpu) => gpu.index === Number(device))
  const busId = normalBusId(device)
  if (busId !== undefined) return candidates.filter((gpu) => gpu.busId === busId)
  const beginning = (migParents?.get(device) ?? device).toLowerCase()
  if (beginning === '') return []
  return candidates.filter((gpu) => gpu.uuid.toLowerCase().startsWith(beginning))
}

function unique(gpus: readonly GpuCandidate[]): readonly GpuCandidate[] {
  return [...new Set(gpus)]
}

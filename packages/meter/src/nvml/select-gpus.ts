import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'

/** A GPU that can be chosen. */
export interface GpuCandidate {
  readonly index: number
  readonly uuid: string
  readonly isMig: boolean
  readonly processIds: readonly number[]
}

/** Which GPUs to meter. The first that is given decides: process ids (when found), devices, the CUDA variable, all. */
export interface GpuWish {
  /** `all`, or UUIDs, beginnings of UUIDs, or indices of NVML. */
  readonly devices?: 'all' | readonly string[]
  /** Processes whose GPUs are meant. */
  readonly processIds?: readonly number[]
  /** Value of CUDA_VISIBLE_DEVICES. */
  readonly cudaVisibleDevices?: string
}

/** The chosen GPUs and the reason, one sentence. */
export interface GpuChoice {
  readonly gpus: readonly GpuCandidate[]
  readonly why: string
  /** Set when the processes decided. */
  readonly byProcess?: true
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
    why: `${choice.why} (process ${processIds.join(', ')} was not found on any GPU)`,
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
  if (wish.devices !== undefined) return byDevices(candidates, wish.devices)
  if (wish.cudaVisibleDevices === undefined)
    return { gpus: candidates, why: 'all GPUs, since none was named' }
  return byCudaVariable(candidates, wish.cudaVisibleDevices)
}

function byDevices(
  candidates: readonly GpuCandidate[],
  devices: readonly string[],
): GpuChoice | Unavailable {
  const found = devices.map((device) => findGpu(candidates, device))
  const missing = devices.filter((_, index) => found[index] === undefined)
  if (devices.length === 0 || missing.length > 0) {
    const known = candidates.map((gpu) => `${gpu.index}: ${gpu.uuid}`).join(', ')
    return unavailable(
      'no-device',
      `no GPU ${missing.join(', ')}; there are ${known}`,
      'Name one of these.',
    )
  }
  return { gpus: unique(found), why: `devices ${devices.join(', ')} were asked for` }
}

/** The rules of CUDA: the list ends at the first entry that names no GPU, and an empty list hides all. */
function byCudaVariable(
  candidates: readonly GpuCandidate[],
  variable: string,
): GpuChoice | Unavailable {
  const found: (GpuCandidate | undefined)[] = []
  for (const entry of variable.split(',').map((part) => part.trim())) {
    const gpus = entry.startsWith('MIG-')
      ? candidates.filter((gpu) => gpu.isMig)
      : [findGpu(candidates, entry)]
    if (gpus[0] === undefined) break
    found.push(...gpus)
  }
  const gpus = unique(found)
  if (gpus.length === 0) {
    return unavailable(
      'no-device',
      `CUDA_VISIBLE_DEVICES is "${variable}", which hides every GPU`,
      'Unset it, or name devices.',
    )
  }
  // CUDA numbers GPUs fastest first, NVML by bus; only UUIDs are safe.
  const caution = /\d+/.test(variable) && !/GPU-|MIG-/.test(variable) && candidates.length > 1
  const note = caution
    ? '; its numbers are taken in the order of NVML, which CUDA shares only with CUDA_DEVICE_ORDER=PCI_BUS_ID'
    : ''
  return { gpus, why: `CUDA_VISIBLE_DEVICES is ${variable}${note}` }
}

function findGpu(candidates: readonly GpuCandidate[], device: string): GpuCandidate | undefined {
  if (/^\d+$/.test(device)) return candidates.find((gpu) => gpu.index === Number(device))
  const matches = candidates.filter((gpu) => device !== '' && gpu.uuid.startsWith(device))
  return matches.length === 1 ? matches[0] : undefined
}

function unique(gpus: readonly (GpuCandidate | undefined)[]): readonly GpuCandidate[] {
  return [...new Set(gpus.filter((gpu) => gpu !== undefined))]
}

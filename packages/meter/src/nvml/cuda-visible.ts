import { type Unavailable, unavailable } from '@energy-bench/spec'
import type { GpuCandidate, GpuChoice } from './select-gpus.js'

/** What the environment says to CUDA. */
export interface CudaWish {
  /** Value of CUDA_VISIBLE_DEVICES. */
  readonly visibleDevices: string
  /** Value of CUDA_DEVICE_ORDER. */
  readonly deviceOrder?: string
}

type Find = (entry: string) => GpuCandidate | undefined

/**
 * The rules of CUDA: all entries are of one kind (numbers, UUIDs or MIG slices), the list ends at the first entry that
 * means no GPU, and an empty list or an entry that comes twice hides all.
 */
export function byCudaVariable(
  candidates: readonly GpuCandidate[],
  { visibleDevices, deviceOrder }: CudaWish,
  migParents: ReadonlyMap<string, string> | undefined,
): GpuChoice | Unavailable {
  const entries = visibleDevices.split(',').map((entry) => entry.trim())
  const find = finderFor(entries[0] ?? '', candidates, migParents)
  const found = entriesUpToFirstInvalid(entries, find)
  if (found.length === 0) return hidden(visibleDevices)
  if (hasTwice(entries.slice(0, found.length), found)) {
    return hidden(visibleDevices, ', since CUDA takes no device twice')
  }
  const gpus = [...new Set(found)]
  return {
    gpus,
    why: `CUDA_VISIBLE_DEVICES is ${visibleDevices}${doubts({ entries, found, deviceOrder, candidates })}`,
  }
}

function hidden(variable: string, because = ''): Unavailable {
  return unavailable(
    'no-device',
    `CUDA_VISIBLE_DEVICES is "${variable}", which hides every GPU${because}`,
    'Unset it, or name devices.',
  )
}

function finderFor(
  first: string,
  candidates: readonly GpuCandidate[],
  migParents: ReadonlyMap<string, string> | undefined,
): Find {
  if (first.startsWith('GPU-')) return (entry) => byBeginning(candidates, entry, 'GPU-')
  if (first.startsWith('MIG-')) return (entry) => byMig(candidates, entry, migParents)
  // CUDA counts along the bus only when told so; where all GPUs are alike, both orders are the same.
  const ordered = [...candidates].sort((a, b) => (a.busId < b.busId ? -1 : 1))
  return (entry) => {
    // As strtoul reads it: `1x` is 1.
    const number = /^\d+/.exec(entry)?.[0]
    return number === undefined ? undefined : ordered[Number(number)]
  }
}

/** A beginning that fits two GPUs means none. */
function byBeginning(
  candidates: readonly GpuCandidate[],
  entry: string,
  kind: string,
): GpuCandidate | undefined {
  const matches = candidates.filter((gpu) => entry.startsWith(kind) && gpu.uuid.startsWith(entry))
  return matches.length === 1 ? matches[0] : undefined
}

/** Drivers before 470 name a slice `MIG-<UUID of the GPU>/<instance>/<instance>`. */
function byMig(
  candidates: readonly GpuCandidate[],
  entry: string,
  migParents: ReadonlyMap<string, string> | undefined,
): GpuCandidate | undefined {
  const parent = migParents?.get(entry) ?? /^MIG-(GPU-[^/]+)\//.exec(entry)?.[1]
  return parent === undefined ? undefined : byBeginning(candidates, parent, 'GPU-')
}

function entriesUpToFirstInvalid(entries: readonly string[], find: Find): readonly GpuCandidate[] {
  const found: GpuCandidate[] = []
  for (const entry of entries) {
    const gpu = find(entry)
    if (gpu === undefined) break
    found.push(gpu)
  }
  return found
}

/** Two slices of one GPU are two devices, the same GPU by number or UUID is one. */
function hasTwice(entries: readonly string[], found: readonly GpuCandidate[]): boolean {
  const devices = entries[0]?.startsWith('MIG-') ? entries : found
  return new Set<unknown>(devices).size < devices.length
}

interface Doubts {
  readonly entries: readonly string[]
  readonly found: readonly GpuCandidate[]
  readonly deviceOrder: string | undefined
  readonly candidates: readonly GpuCandidate[]
}

function doubts({ entries, found, deviceOrder, candidates }: Doubts): string {
  const ignored = entries.slice(found.length)
  const cut = ignored.length === 0 ? '' : `; from "${ignored[0]}" on it means no GPU here`
  const isNumbers = /^\d/.test(entries[0] ?? '')
  const isMixed = new Set(candidates.map((gpu) => gpu.name)).size > 1
  if (!isNumbers || !isMixed || deviceOrder === 'PCI_BUS_ID') return cut
  return `${cut}; assumed: its numbers follow the bus, which CUDA does for GPUs of different models only with CUDA_DEVICE_ORDER=PCI_BUS_ID`
}

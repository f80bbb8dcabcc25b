// Not verified on hardware: written from the public headers and reports, tested on made-up sysfs trees and a small C library.
import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import { MAX_POWER_W } from '../linux/counter.js'
import { describeGpu, gpuState } from '../linux/gpu-state.js'
import { findGpus, type PciGpu, selectGpus, whyAsleep } from '../linux/pci-gpus.js'
import { createLinuxSource, type LinuxSource } from '../linux/polled-source.js'
import { nodeFiles, type SysFiles } from '../linux/sysfs.js'
import { createChannels, type GpuCounter } from './channels.js'
import { findCounters } from './counters.js'
import { intelFiles } from './hwmon.js'
import { type LevelZero, openLevelZero } from './level-zero.js'

/** Options of `openIntelGpuSource`. */
export interface IntelGpuSourceOptions {
  /** Bus addresses or indexes in the order of the bus. Default: all Intel GPUs that have a counter. */
  readonly devices?: readonly (string | number)[]
  /** Where sysfs is mounted. Default `/sys`. */
  readonly root?: string
  /** `libze_loader.so.1`, instead of the usual places. */
  readonly libraryPath?: string
  readonly files?: SysFiles
  /** Monotonic seconds. */
  readonly now?: () => number
}

interface IntelGpu {
  readonly pci: PciGpu
  readonly counters: readonly GpuCounter[]
}

/** i915 sees one wrap of its 32-bit register (2^-14 J a step) between two reads. */
const REGISTER_J = 2 ** 32 / 2 ** 14
const MAX_POLL_INTERVAL_S = Math.min(30, REGISTER_J / (2 * MAX_POWER_W))

const DRIVERS = ['i915', 'xe']

/** Why there is no Intel GPU to open; wakes none. */
export function whyNoIntelGpu(root = '/sys', files: SysFiles = nodeFiles): Unavailable | undefined {
  return findGpus(files, root, DRIVERS).length === 0 ? noGpu(root) : undefined
}

/** Opens Intel GPUs: the energy files of i915 and xe, or else the counters of Level Zero Sysman. */
export async function openIntelGpuSource(
  options: IntelGpuSourceOptions = {},
): Promise<LinuxSource | Unavailable> {
  const { root = '/sys', files = nodeFiles, now = monotonicS } = options
  const absent = whyNoIntelGpu(root, files)
  if (absent !== undefined) return absent
  const found = findGpus(files, root, DRIVERS)
  const chosen = selectGpus(found, options.devices)
  if (isUnavailable(chosen)) return chosen
  const openLibrary = openOnce(files, found, options)
  const opened = chosen.map((pci) => ({ pci, counters: findCounters(files, pci, openLibrary) }))
  const gpus = opened.filter((gpu): gpu is IntelGpu => !isUnavailable(gpu.counters))
  const problem = opened.map((gpu) => gpu.counters).find(isUnavailable)
  // A GPU that was asked for must be there; without a wish, a built-in one without a counter may be left out.
  const isComplete = options.devices === undefined ? gpus.length > 0 : gpus.length === opened.length
  if (isComplete && gpus.length > 0) return createSource(files, gpus, now)
  for (const gpu of gpus) for (const counter of gpu.counters) counter.close()
  return problem ?? unavailable('no-device', 'no GPU was named')
}

/** Opening the library wakes every Intel GPU, so that it stays closed while one of them sleeps. */
function openOnce(
  files: SysFiles,
  gpus: readonly PciGpu[],
  options: IntelGpuSourceOptions,
): () => LevelZero | Unavailable {
  let library: LevelZero | Unavailable | undefined
  return () => {
    const asleep = gpus.map((gpu) => whyAsleep(files, gpu)).find((why) => why !== undefined)
    library ??= asleep ?? openLevelZero(options.libraryPath)
    return library
  }
}

function createSource(files: SysFiles, gpus: readonly IntelGpu[], now: () => number): LinuxSource {
  const facts = gpus.map(({ pci }) => ({ pci, facts: intelFiles(files, pci) }))
  return createLinuxSource({
    id: `intel:${gpus.map((gpu) => gpu.pci.bdf).join(',')}`,
    channels: gpus.flatMap((gpu) => createChannels(files, gpu.pci, gpu.counters)),
    devices: facts.map((gpu) =>
      describeGpu(files, gpu.pci, { name: `Intel GPU ${gpu.pci.pciId}`, facts: gpu.facts }),
    ),
    maxPollIntervalS: MAX_POLL_INTERVAL_S,
    now,
    readStates: (timeS) =>
      facts.map((gpu) => gpuState(files, gpu.pci, { timeS, facts: gpu.facts })),
    close() {},
  })
}

function noGpu(root: string): Unavailable {
  return unavailable(
    'no-device',
    `${root}/class/drm shows no GPU of the drivers i915 and xe`,
    'Load the driver (sudo modprobe xe or i915); in a container, add --device /dev/dri.',
  )
}

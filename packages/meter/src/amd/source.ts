// Not verified on hardware: written from the public headers and reports, tested on made-up sysfs trees and small C libraries.
import { type DeviceInfo, isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import { describeGpu, gpuState } from '../linux/gpu-state.js'
import { findGpus, type PciGpu, selectGpus, whyAsleep } from '../linux/pci-gpus.js'
import { createLinuxSource, type LinuxSource } from '../linux/polled-source.js'
import { nodeFiles, readText, type SysFiles } from '../linux/sysfs.js'
import { type AmdSmi, openAmdSmi } from './binding.js'
import { type AmdGpu, createChannels } from './channels.js'
import { amdFiles, findHwmon, openHwmonPower } from './hwmon.js'

/** Options of `openAmdGpuSource`. */
export interface AmdGpuSourceOptions {
  /** Bus addresses, UUIDs (or their beginnings) or indexes in the order of the bus. Default: all AMD GPUs. */
  readonly devices?: readonly (string | number)[]
  /** Where sysfs is mounted. Default `/sys`. */
  readonly root?: string
  /** `libamd_smi.so`, instead of the usual places. */
  readonly libraryPath?: string
  readonly env?: NodeJS.ProcessEnv
  readonly files?: SysFiles
  /** Monotonic seconds. */
  readonly now?: () => number
}

/** A mean power loses nothing by slower polls, but the integration does, seconds. */
const MAX_POLL_INTERVAL_S = 1

const DRIVERS = ['amdgpu']

/** Why there is no AMD GPU to open; wakes none. */
export function whyNoAmdGpu(root = '/sys', files: SysFiles = nodeFiles): Unavailable | undefined {
  return findGpus(files, root, DRIVERS).length === 0 ? noGpu(root) : undefined
}

/** Opens AMD GPUs: the power that the kernel shows, and the energy counter of AMD SMI where it is installed. */
export async function openAmdGpuSource(
  options: AmdGpuSourceOptions = {},
): Promise<LinuxSource | Unavailable> {
  const { root = '/sys', files = nodeFiles, now = monotonicS } = options
  const absent = whyNoAmdGpu(root, files)
  if (absent !== undefined) return absent
  const found = findGpus(files, root, DRIVERS)
  const smi = openLibrary(files, found, options)
  const chosen = selectGpus(withUuids(found, smi), options.devices)
  const gpus = isUnavailable(chosen) ? [] : chosen.map((pci) => openGpu(files, pci, smi))
  const problem = isUnavailable(chosen) ? chosen : whyNoReading(gpus)
  if (problem !== undefined) {
    if (!isUnavailable(smi)) smi.shutdown()
    return problem
  }
  return createSource({ files, gpus, smi, now })
}

/** Opening the library opens every AMD GPU, so that it stays closed while one of them sleeps. */
function openLibrary(
  files: SysFiles,
  gpus: readonly PciGpu[],
  options: AmdGpuSourceOptions,
): AmdSmi | Unavailable {
  const asleep = gpus.map((gpu) => whyAsleep(files, gpu)).find((why) => why !== undefined)
  return asleep ?? openAmdSmi(options.libraryPath, options.env)
}

function withUuids(gpus: readonly PciGpu[], smi: AmdSmi | Unavailable): readonly PciGpu[] {
  if (isUnavailable(smi)) return gpus
  return gpus.map((gpu) => {
    const uuid = smi.gpus.find((other) => other.bdf === gpu.bdf)?.uuid
    if (uuid === undefined || isUnavailable(uuid) || uuid === '') return gpu
    return { ...gpu, aliases: [...gpu.aliases, uuid.toLowerCase()] }
  })
}

function openGpu(files: SysFiles, pci: PciGpu, smi: AmdSmi | Unavailable): AmdGpu {
  const folder = findHwmon(files, pci)
  const hwmon =
    folder === undefined
      ? unavailable('not-supported', `${pci.devicePath}/hwmon shows no sensor`)
      : openHwmonPower(files, folder)
  const shown = isUnavailable(smi) ? smi : smi.gpus.find((gpu) => gpu.bdf === pci.bdf)
  return {
    pci,
    hwmon,
    smi: shown ?? unavailable('no-device', `AMD SMI does not show the GPU ${pci.bdf}`),
  }
}

function whyNoReading(gpus: readonly AmdGpu[]): Unavailable | undefined {
  const readable = gpus.some((gpu) => !isUnavailable(gpu.hwmon) || !isUnavailable(gpu.smi))
  if (readable) return undefined
  return (
    gpus.map((gpu) => gpu.hwmon).find(isUnavailable) ?? unavailable('no-device', 'no GPU was named')
  )
}

function createSource(parts: {
  readonly files: SysFiles
  readonly gpus: readonly AmdGpu[]
  readonly smi: AmdSmi | Unavailable
  readonly now: () => number
}): LinuxSource {
  const { files, gpus, smi, now } = parts
  const facts = gpus.map(({ pci, hwmon }) => ({
    pci,
    hwmon,
    facts: amdFiles(pci, findHwmon(files, pci)),
  }))
  return createLinuxSource({
    id: `amd:${gpus.map((gpu) => gpu.pci.bdf).join(',')}`,
    channels: gpus.flatMap((gpu) => createChannels(files, gpu)),
    devices: facts.map(
      (gpu): DeviceInfo =>
        describeGpu(files, gpu.pci, { name: nameOf(files, gpu.pci), facts: gpu.facts }),
    ),
    maxPollIntervalS: MAX_POLL_INTERVAL_S,
    now,
    readStates: (timeS) =>
      facts.map(({ pci, hwmon, facts }) => ({
        ...gpuState(files, pci, { timeS, facts }),
        powerW: whyAsleep(files, pci) ?? (isUnavailable(hwmon) ? hwmon : hwmon.read()),
      })),
    close() {
      if (!isUnavailable(smi)) smi.shutdown()
    },
  })
}

function nameOf(files: SysFiles, gpu: PciGpu): string {
  const name = readText(files, `${gpu.devicePath}/product_name`)
  return isUnavailable(name) || name === '' ? `AMD GPU ${gpu.pciId}` : name
}

function noGpu(root: string): Unavailable {
  return unavailable(
    'no-device',
    `${root}/class/drm shows no GPU of the driver amdgpu`,
    'Run: sudo modprobe amdgpu; in a container, add --device /dev/kfd --device /dev/dri.',
  )
}

import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { listNames, readText, type SysFiles } from './sysfs.js'

/** A GPU as the kernel lists it. Finding it does not wake it. */
export interface PciGpu {
  /** For example `0000:03:00.0`. */
  readonly bdf: string
  /** Name of the kernel driver, for example `amdgpu`. */
  readonly driver: string
  /** For example `/sys/class/drm/card1`. */
  readonly cardPath: string
  readonly devicePath: string
  /** For example `1002:744c`, vendor and device. */
  readonly pciId: string
  /** Other names under which it may be asked for, lower case. */
  readonly aliases: readonly string[]
}

/** Lists the GPUs that one of the kernel drivers serves, ordered by bus address. */
export function findGpus(
  files: SysFiles,
  root: string,
  drivers: readonly string[],
): readonly PciGpu[] {
  const drm = `${root}/class/drm`
  return listNames(files, drm)
    .filter((name) => /^card\d+$/.test(name))
    .map((name) => describe(files, `${drm}/${name}`))
    .filter((gpu) => gpu !== undefined)
    .filter((gpu) => drivers.includes(gpu.driver))
    .sort((a, b) => (a.bdf < b.bdf ? -1 : 1))
}

function describe(files: SysFiles, cardPath: string): PciGpu | undefined {
  const devicePath = `${cardPath}/device`
  const event = readText(files, `${devicePath}/uevent`)
  if (isUnavailable(event)) return undefined
  const bdf = /^PCI_SLOT_NAME=(.+)$/m.exec(event)?.[1]
  const driver = /^DRIVER=(.+)$/m.exec(event)?.[1]
  if (bdf === undefined || driver === undefined) return undefined
  const pciId = /^PCI_ID=(.+)$/m.exec(event)?.[1]?.toLowerCase() ?? 'unknown'
  const uniqueId = readText(files, `${devicePath}/unique_id`)
  const aliases = isUnavailable(uniqueId) || uniqueId === '' ? [] : [`gpu-${uniqueId}`, uniqueId]
  return {
    bdf: bdf.toLowerCase(),
    driver,
    cardPath,
    devicePath,
    pciId,
    aliases: aliases.map((alias) => alias.toLowerCase()),
  }
}

/** The hwmon folders of a GPU. */
export function hwmonPaths(files: SysFiles, gpu: PciGpu): readonly string[] {
  const parent = `${gpu.devicePath}/hwmon`
  return listNames(files, parent)
    .filter((name) => /^hwmon\d+$/.test(name))
    .map((name) => `${parent}/${name}`)
}

/** Why a GPU must not be read now: reading a suspended GPU would wake it and cost watts. */
export function whyAsleep(files: SysFiles, gpu: PciGpu): Unavailable | undefined {
  const status = readText(files, `${gpu.devicePath}/power/runtime_status`)
  if (status !== 'suspended' && status !== 'suspending') return undefined
  return unavailable(
    'asleep',
    `the GPU ${gpu.bdf} is suspended, and reading it would wake it`,
    `Start the work on it first, or run: echo on | sudo tee /sys/bus/pci/devices/${gpu.bdf}/power/control`,
  )
}

/** The GPUs that are asked for by bus address, UUID (or its beginning) or index; all when nothing is asked. */
export function selectGpus(
  gpus: readonly PciGpu[],
  wanted: readonly (string | number)[] | undefined,
): readonly PciGpu[] | Unavailable {
  if (wanted === undefined) return gpus
  const found: PciGpu[] = []
  for (const want of wanted) {
    const gpu = typeof want === 'number' ? gpus[want] : byName(gpus, want.toLowerCase())
    if (gpu === undefined) return notThere(gpus, want)
    if (!found.includes(gpu)) found.push(gpu)
  }
  return found
}

function byName(gpus: readonly PciGpu[], name: string): PciGpu | undefined {
  const matching = gpus.filter((gpu) => isNamed(gpu, name))
  // The beginning of a UUID names a GPU only when no other one begins alike.
  return matching.length === 1 ? matching[0] : undefined
}

function isNamed(gpu: PciGpu, name: string): boolean {
  if (name === '') return false
  return (
    gpu.bdf === name ||
    gpu.bdf === `0000:${name}` ||
    gpu.aliases.some((alias) => alias.startsWith(name))
  )
}

function notThere(gpus: readonly PciGpu[], want: string | number): Unavailable {
  const there = gpus.map((gpu, index) => `${index} = ${gpu.bdf}`).join(', ')
  return unavailable(
    'no-device',
    `no GPU (or more than one) is meant by '${want}'; there are: ${there || 'none'}`,
    'Name the GPU by its bus address, its UUID or its index.',
  )
}

import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { MAX_POWER_W } from '../linux/counter.js'
import type { GpuFiles } from '../linux/gpu-state.js'
import { hwmonPaths, type PciGpu } from '../linux/pci-gpus.js'
import { listNames, type NumberFile, openNumber, type SysFiles } from '../linux/sysfs.js'

/** The power files of a GPU, open. */
export interface HwmonPower {
  /** Watts. */
  read(): number | Unavailable
  close(): void
}

/** Old drivers and most cards have the first, others only the second; the mean is better to integrate. */
const POWER_FILES = ['power1_average', 'power1_input']

/** All ones in 16 or 32 bits, as milliwatts and as watts, in microwatts: what firmware writes for "not there". */
const MISSING_UW: ReadonlySet<number> = new Set([
  0xffff,
  0xffffffff,
  0xffff * 1e3,
  0xffff * 1e6,
  0xffffffff * 1e3,
])

/** The hwmon folder of the amdgpu driver, where it has one. */
export function findHwmon(files: SysFiles, gpu: PciGpu): string | undefined {
  return hwmonPaths(files, gpu)[0]
}

/** Opens the power files that are there; opening does not wake the GPU, reading does. */
export function openHwmonPower(files: SysFiles, folder: string): HwmonPower | Unavailable {
  const there = listNames(files, folder)
  const opened = POWER_FILES.filter((name) => there.includes(name)).map((name) =>
    openNumber(files, `${folder}/${name}`),
  )
  const good = opened.filter((file): file is NumberFile => !isUnavailable(file))
  if (good.length === 0) {
    return (
      opened.find(isUnavailable) ??
      unavailable(
        'not-supported',
        `${folder} has neither ${POWER_FILES.join(' nor ')}`,
        'Update the kernel; this GPU may also have no power sensor.',
      )
    )
  }
  return {
    read: () => firstPower(good),
    close() {
      for (const file of good) file.close()
    },
  }
}

function firstPower(files: readonly NumberFile[]): number | Unavailable {
  const values = files.map((file) => toWatts(file))
  return (
    values.find((value) => !isUnavailable(value)) ??
    values[0] ??
    unavailable('not-supported', 'no power file')
  )
}

function toWatts(file: NumberFile): number | Unavailable {
  const microwatts = file.read()
  if (isUnavailable(microwatts)) return microwatts
  if (microwatts === 0) {
    return unavailable('no-data', `${file.path} holds 0, which a GPU that is awake cannot draw`)
  }
  if (microwatts > 0 && !MISSING_UW.has(microwatts) && microwatts <= MAX_POWER_W * 1e6) {
    return microwatts / 1e6
  }
  return unavailable('implausible', `${file.path} holds ${microwatts} microwatts`)
}

/** Where amdgpu keeps the facts about a GPU. */
export function amdFiles(gpu: PciGpu, folder: string | undefined): GpuFiles {
  const memoryBytes = { path: `${gpu.devicePath}/mem_info_vram_total`, scale: 1 }
  if (folder === undefined) return { memoryBytes }
  return {
    memoryBytes,
    temperature: { path: `${folder}/temp1_input`, scale: 1e-3 },
    clock: { path: `${folder}/freq1_input`, scale: 1 },
    memoryClock: { path: `${folder}/freq2_input`, scale: 1 },
    powerLimit: { path: `${folder}/power1_cap`, scale: 1e-6 },
    powerLimitDefault: { path: `${folder}/power1_cap_default`, scale: 1e-6 },
  }
}

import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { GpuFiles, ScaledFile } from '../linux/gpu-state.js'
import { hwmonPaths, type PciGpu, whyAsleep } from '../linux/pci-gpus.js'
import { listNames, type NumberFile, openNumber, readText, type SysFiles } from '../linux/sysfs.js'
import type { PowerScope, ScopedCounter } from './power-domains.js'

/** One energy file of a GPU, open. */
export interface EnergyFile extends ScopedCounter {
  /** Name within the GPU, for example `card` or `i915_gt0`. */
  readonly name: string
  readonly file: NumberFile | Unavailable
}

const SCOPES: ReadonlyMap<string, PowerScope> = new Map([
  ['card', 'card'],
  ['pkg', 'package'],
  ['vram', 'memory'],
])

/** Opens the energy files of a GPU (i915 from Linux 6.2 on, xe). A file that cannot be read while awake is left out. */
export function openEnergyFiles(files: SysFiles, gpu: PciGpu): readonly EnergyFile[] {
  const isAsleep = whyAsleep(files, gpu) !== undefined
  return hwmonPaths(files, gpu)
    .flatMap((folder) => openFolder(files, folder))
    .filter((energy) => isAsleep || keepsReading(energy))
}

function openFolder(files: SysFiles, folder: string): readonly EnergyFile[] {
  const driver = readText(files, `${folder}/name`)
  const isTile = !isUnavailable(driver) && /_gt\d+$/.test(driver)
  return listNames(files, folder)
    .filter((name) => /^energy\d+_input$/.test(name))
    .map((name) => {
      const label = readText(files, `${folder}/${name.replace('_input', '_label')}`)
      const unnamed = isUnavailable(driver) ? name : driver
      return {
        name: isUnavailable(label) ? unnamed : label,
        scope: isUnavailable(label) ? 'unknown' : (SCOPES.get(label) ?? 'unknown'),
        isTile,
        file: openNumber(files, `${folder}/${name}`),
      }
    })
}

/** A permission that is missing is reported, a sensor that is missing is not there. */
function keepsReading(energy: EnergyFile): boolean {
  if (isUnavailable(energy.file)) return energy.file.reason === 'permission-denied'
  const value = energy.file.read()
  if (!isUnavailable(value)) return true
  energy.file.close()
  return false
}

/** Where i915 and xe keep the facts about a GPU. */
export function intelFiles(files: SysFiles, gpu: PciGpu): GpuFiles {
  const folder = hwmonPaths(files, gpu).find((path) => {
    const name = readText(files, `${path}/name`)
    return name === gpu.driver
  })
  const clock = findClock(files, gpu)
  return {
    ...(clock === undefined ? {} : { clock }),
    ...(folder === undefined ? {} : sensorsIn(files, folder)),
  }
}

function sensorsIn(files: SysFiles, folder: string): GpuFiles {
  const names = listNames(files, folder)
  // The limit of the card is number 1, that of the package number 2; a GPU has one or both.
  const limit = names.includes('power1_max') ? 'power1' : 'power2'
  const temperature = names.find((name) => /^temp\d+_input$/.test(name))
  return {
    powerLimit: { path: `${folder}/${limit}_max`, scale: 1e-6 },
    powerLimitDefault: { path: `${folder}/${limit}_rated_max`, scale: 1e-6 },
    ...(temperature === undefined
      ? {}
      : { temperature: { path: `${folder}/${temperature}`, scale: 1e-3 } }),
  }
}

/** The clock files of xe and of i915 hold megahertz. */
function findClock(files: SysFiles, gpu: PciGpu): ScaledFile | undefined {
  const places = [
    [`${gpu.devicePath}/tile0/gt0/freq0`, 'act_freq'],
    [`${gpu.cardPath}/gt/gt0`, 'rps_act_freq_mhz'],
    [gpu.cardPath, 'gt_act_freq_mhz'],
  ] as const
  const place = places.find(([folder, name]) => listNames(files, folder).includes(name))
  return place === undefined ? undefined : { path: `${place[0]}/${place[1]}`, scale: 1e6 }
}

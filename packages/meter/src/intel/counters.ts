import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { PciGpu } from '../linux/pci-gpus.js'
import type { SysFiles } from '../linux/sysfs.js'
import type { GpuCounter } from './channels.js'
import { openEnergyFiles } from './hwmon.js'
import type { LevelZero } from './level-zero.js'

/** The counters of a GPU: the files of its driver, and only where there are none, Level Zero. */
export function findCounters(
  files: SysFiles,
  gpu: PciGpu,
  openLibrary: () => LevelZero | Unavailable,
): readonly GpuCounter[] | Unavailable {
  const fromFiles = openEnergyFiles(files, gpu).map(({ file, ...energy }): GpuCounter => {
    return {
      ...energy,
      via: 'hwmon',
      energyUj: () => (isUnavailable(file) ? file : file.read()),
      close() {
        if (!isUnavailable(file)) file.close()
      },
    }
  })
  if (fromFiles.length > 0) return fromFiles
  const library = openLibrary()
  return isUnavailable(library) ? noCounter(gpu, library) : fromLibrary(gpu, library)
}

function fromLibrary(gpu: PciGpu, library: LevelZero): readonly GpuCounter[] | Unavailable {
  const counters = library.gpus.find((other) => other.bdf === gpu.bdf)?.counters
  if (counters === undefined || isUnavailable(counters)) {
    return counters ?? unavailable('no-device', `Level Zero does not show the Intel GPU ${gpu.bdf}`)
  }
  const named = counters.map((counter, index): GpuCounter => {
    const isTwin = counters.some((other, at) => at !== index && other.scope === counter.scope)
    return {
      ...counter,
      name: isTwin ? `${counter.scope}-${index}` : counter.scope,
      via: 'level-zero',
      close() {},
    }
  })
  const readable = named.filter((counter) => !isUnavailable(counter.energyUj()))
  if (readable.length > 0) return readable
  const problem = named.map((counter) => counter.energyUj()).find(isUnavailable)
  return problem ?? unavailable('not-supported', `Level Zero shows no counter of ${gpu.bdf}`)
}

function noCounter(gpu: PciGpu, library: Unavailable): Unavailable {
  return unavailable(
    library.reason === 'library-missing' ? 'not-supported' : library.reason,
    `the driver ${gpu.driver} shows no energy file for ${gpu.bdf}, and ${library.detail}`,
    `A graphics card needs Linux 6.2 (i915) or 6.8 (xe); the energy of a built-in GPU is in RAPL uncore. ${library.fix ?? ''}`.trim(),
  )
}

import { openIntelGpuSource, whyNoIntelGpu } from '../intel/source.js'
import type { DetectOptions, Driver } from './driver.js'
import { whyNotLinux, wishedGpus } from './linux-only.js'
import { trySource } from './try-source.js'

/** Intel GPUs through i915, xe and Level Zero. */
export const intelDriver: Driver = {
  id: 'intel',
  name: 'Intel GPU',
  whyAbsent: (options) => whyNotLinux(options) ?? whyNoIntelGpu(options.sysRoot),
  async detect(options) {
    const wish = wishOf(options)
    return trySource(openIntelGpuSource(wish), { kind: 'intel', ...wish })
  },
}

function wishOf(options: DetectOptions) {
  const { sysRoot, levelZeroLibraryPath } = options
  return {
    ...wishedGpus(options),
    ...(sysRoot === undefined ? {} : { root: sysRoot }),
    ...(levelZeroLibraryPath === undefined ? {} : { libraryPath: levelZeroLibraryPath }),
  }
}

import { openAmdGpuSource, whyNoAmdGpu } from '../amd/source.js'
import type { DetectOptions, Driver } from './driver.js'
import { whyNotLinux, wishedGpus } from './linux-only.js'
import { trySource } from './try-source.js'

/** AMD GPUs through amdgpu and AMD SMI. */
export const amdDriver: Driver = {
  id: 'amd',
  name: 'AMD GPU',
  whyAbsent: (options) => whyNotLinux(options) ?? whyNoAmdGpu(options.sysRoot),
  async detect(options) {
    const wish = wishOf(options)
    return trySource(openAmdGpuSource(wish), { kind: 'amd', ...wish })
  },
}

function wishOf(options: DetectOptions) {
  const { sysRoot, amdLibraryPath } = options
  return {
    ...wishedGpus(options),
    ...(sysRoot === undefined ? {} : { root: sysRoot }),
    ...(amdLibraryPath === undefined ? {} : { libraryPath: amdLibraryPath }),
  }
}

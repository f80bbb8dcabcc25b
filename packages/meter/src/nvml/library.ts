import type { Unavailable } from '@energy-bench/spec'
import { nodeFiles } from '../linux/sysfs.js'
import { isWsl } from '../linux/wsl.js'
import { loadLibrary, type NativeLibrary } from '../native-library.js'
import { nvmlLibraryPaths } from './library-path.js'

/** Loads NVML from `path`, or from the first usual place that has it. */
export function loadNvmlLibrary(path?: string): NativeLibrary | Unavailable {
  const paths = path === undefined ? nvmlLibraryPaths(process.platform) : [path]
  return loadLibrary(paths, {
    name: 'NVML',
    fix: isWsl(nodeFiles, '/proc')
      ? 'In WSL, install the NVIDIA driver in Windows only, then run: wsl --shutdown'
      : 'Install the NVIDIA driver; in a container, start it with --gpus all.',
  })
}

import { type Unavailable, unavailable } from '@energy-bench/spec'
import { koffi } from '../koffi.js'
import { nodeFiles } from '../linux/sysfs.js'
import { isWsl } from '../linux/wsl.js'
import { nvmlLibraryPaths } from './library-path.js'

/** What is passed to a C function: numbers, handles, texts and buffers. */
export type NativeValue = number | bigint | string | Uint8Array
/** A C function that gives a return code. */
export type NativeFunction = (...values: NativeValue[]) => number

/** A loaded shared library from which functions are taken by name. */
export interface NativeLibrary {
  readonly path: string
  /** `undefined` when the library is too old to have the function. `types` are koffi types of the arguments. */
  find(name: string, types: readonly string[]): NativeFunction | undefined
}

/** Takes the first function that is there: newer drivers rename, older ones lack the new name. */
export function findFirst(
  library: NativeLibrary,
  names: readonly string[],
  types: readonly string[],
): NativeFunction | undefined {
  for (const name of names) {
    const native = library.find(name, types)
    if (native !== undefined) return native
  }
  return undefined
}

/** Loads NVML from `path`, or from the first usual place that has it. */
export function loadNvmlLibrary(path?: string): NativeLibrary | Unavailable {
  const paths = path === undefined ? nvmlLibraryPaths(process.platform) : [path]
  const problems: string[] = []
  for (const candidate of paths) {
    try {
      return wrap(candidate, koffi().load(candidate))
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  return unavailable(
    'library-missing',
    `NVML could not be loaded (${problems[0] ?? 'no place to look at'})`,
    isWsl(nodeFiles, '/proc')
      ? 'In WSL, install the NVIDIA driver in Windows only, then run: wsl --shutdown'
      : 'Install the NVIDIA driver; in a container, start it with --gpus all.',
  )
}

function wrap(path: string, library: ReturnType<ReturnType<typeof koffi>['load']>): NativeLibrary {
  return {
    path,
    find(name, types) {
      try {
        return library.func(name, 'int', [...types])
      } catch {
        // The only way to ask koffi whether a symbol is there.
        return undefined
      }
    },
  }
}

import { type Unavailable, unavailable } from '@energy-bench/spec'
import type { LibraryHandle } from 'koffi'
import { koffi } from '../koffi.js'

/** Paths of the four system libraries; tests put their own here. */
export interface AppleLibraries {
  readonly coreFoundation: string
  readonly ioReport: string
  readonly ioKit: string
  readonly system: string
}

/** Where macOS keeps them. The files are in a shared cache and need not exist on disk. */
export const APPLE_LIBRARIES: AppleLibraries = {
  coreFoundation: '/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation',
  ioReport: '/usr/lib/libIOReport.dylib',
  ioKit: '/System/Library/Frameworks/IOKit.framework/IOKit',
  system: '/usr/lib/libSystem.B.dylib',
}

/** Loads a library and binds it; a library or function that is not there becomes a value. */
export function bind<Binding>(
  path: string,
  declare: (library: LibraryHandle) => Binding,
): Binding | Unavailable {
  try {
    return declare(koffi().load(path))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return unavailable(
      'library-missing',
      `${path} could not be used: ${why}`,
      'Report the macOS version: this library, or a function of it, has changed.',
    )
  }
}

/** A pointer as a foreign function gives it, or `undefined` for NULL. */
export function present(pointer: bigint | null | undefined): bigint | undefined {
  return pointer === null || pointer === 0n ? undefined : pointer
}

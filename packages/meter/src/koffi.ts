import { createRequire } from 'node:module'

type Koffi = typeof import('koffi')['default']

const require = createRequire(import.meta.url)
let loaded: Koffi | undefined

/**
 * koffi, loaded at the first native call. Where it has no prebuilt binary it throws here, inside the attempt to open a
 * native library, and the meters that need none still work.
 */
export function koffi(): Koffi {
  loaded ??= require('koffi') as Koffi
  return loaded
}

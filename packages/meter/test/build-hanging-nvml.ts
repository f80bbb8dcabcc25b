import { fileURLToPath } from 'node:url'
import { compile } from './linux/fixture.js'

/** When the library blocks, and for how long; left out: for ever. */
export interface Hang {
  readonly afterMs: number
  readonly forMs?: number
  /** It blocks while it is loaded. */
  readonly atLoad?: boolean
}

/** Compiles an NVML that answers for a while and then blocks at each read of the counter. */
export function buildHangingNvml({ afterMs, forMs = 0, atLoad = false }: Hang): string {
  const fake = fileURLToPath(new URL('./fake-nvml.c', import.meta.url))
  return compile(new URL('./hanging-nvml.c', import.meta.url), [
    `-DFAKE_NVML="${fake}"`,
    `-DHANG_AFTER_MS=${afterMs}`,
    `-DHANG_MS=${forMs}`,
    ...(atLoad ? ['-DHANG_AT_LOAD'] : []),
  ])
}

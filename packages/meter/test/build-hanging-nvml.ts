import { fileURLToPath } from 'node:url'
import { compile } from './linux/fixture.js'

/** Compiles an NVML that answers for a while and then blocks at each read of the counter. */
export function buildHangingNvml(hangAfterMs: number, hangMs: number): string {
  const fake = fileURLToPath(new URL('./fake-nvml.c', import.meta.url))
  return compile(new URL('./hanging-nvml.c', import.meta.url), [
    `-DFAKE_NVML="${fake}"`,
    `-DHANG_AFTER_MS=${hangAfterMs}`,
    `-DHANG_MS=${hangMs}`,
  ])
}

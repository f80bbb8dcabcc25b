import { type Unavailable, unavailable } from '@energy-bench/spec'
import { createCpuSource } from '../cpu-estimate/source.js'
import { openNvmlSource } from '../nvml/source.js'
import type { PolledSource, SourceSpec } from './polled-source.js'

/** Opens the source that a spec describes. A new driver adds its case here. */
export async function openSource(spec: SourceSpec): Promise<PolledSource | Unavailable> {
  try {
    return spec.kind === 'nvml' ? await openNvmlSource(spec) : createCpuSource(spec)
  } catch (error) {
    return unavailable(
      'failed',
      `${spec.kind}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

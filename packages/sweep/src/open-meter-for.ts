import { type OpenMeterOptions, openMeter } from '@energy-bench/meter'
import { type BackendInfo, isUnknown, type Meter } from '@energy-bench/spec'

/**
 * Opens the meter that fits where a model runs: the process that does the work, and no GPU meter for a model that
 * has no layer on a GPU, since the GPU would be measured idling.
 */
export function openMeterFor(info: BackendInfo, options: OpenMeterOptions = {}): Promise<Meter> {
  const { processId, gpuLayers } = info
  const runsOnCpu = gpuLayers === 0 && (options.meter ?? 'auto') === 'auto'
  return openMeter({
    ...(isUnknown(processId) ? {} : { processIds: [processId] }),
    ...options,
    ...(runsOnCpu ? { meter: 'cpu' } : {}),
  })
}

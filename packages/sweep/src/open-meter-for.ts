import { type OpenMeterOptions, openMeter, type RunsOn } from '@energy-bench/meter'
import { type BackendInfo, isUnknown, type Meter } from '@energy-bench/spec'

/** Opens the meter that fits where a model runs: the process that does the work, and the place that counts. */
export function openMeterFor(info: BackendInfo, options: OpenMeterOptions = {}): Promise<Meter> {
  const { processId, gpuLayers } = info
  return openMeter({
    ...(isUnknown(processId) ? {} : { processIds: [processId] }),
    runsOn: runsOn(gpuLayers),
    ...options,
  })
}

/** A model without a layer on a GPU runs on the CPU, and a GPU would be measured idling. */
function runsOn(gpuLayers: BackendInfo['gpuLayers']): RunsOn {
  if (isUnknown(gpuLayers)) return 'unknown'
  return gpuLayers === 0 ? 'cpu' : 'gpu'
}

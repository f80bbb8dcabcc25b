import { isUnavailable } from '@energy-bench/spec'
import { processTimeS } from '../cpu-estimate/process-time.js'
import { DEFAULT_WATTS_PER_CORE } from '../cpu-estimate/source.js'
import type { Driver } from './driver.js'

/** The estimate from CPU time, where nothing measures. */
export const cpuDriver: Driver = {
  id: 'cpu',
  name: 'CPU estimate',
  async detect({ processIds = [process.pid], wattsPerCore = DEFAULT_WATTS_PER_CORE }) {
    const times = await Promise.all(processIds.map((id) => processTimeS(id)))
    const broken = times.find(isUnavailable)
    if (broken !== undefined) return broken
    return {
      status: 'available',
      detail: `an estimate from the CPU time of process ${processIds.join(', ')} at ${wattsPerCore} W a core`,
      specs: [{ kind: 'cpu', processIds, wattsPerCore }],
      devices: [],
    }
  },
}

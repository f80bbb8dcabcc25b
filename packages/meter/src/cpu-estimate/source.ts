import { availableParallelism, cpus } from 'node:os'
import { type DomainSample, isUnavailable, unavailable } from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import type { PolledSource } from '../polling/polled-source.js'
import { processTimeS } from './process-time.js'

/** Nominal power of one busy core, watts: a round figure between a laptop and a server. It is not measured. */
export const DEFAULT_WATTS_PER_CORE = 10

/** Options of `createCpuSource`. */
export interface CpuSourceOptions {
  /** Processes whose CPU time counts. Default: this one. */
  readonly processIds?: readonly number[]
  /** Nominal power of one busy core, watts. */
  readonly wattsPerCore?: number
  /** Seconds, monotonic. */
  readonly now?: () => number
  /** CPU time of a process, seconds. */
  readonly timeOf?: typeof processTimeS
}

const DOMAIN_ID = 'cpu-estimate'
/** Each wake-up costs some 0.5 ms of CPU time; at 20 a second that was 1.4 % of the throughput of the work. */
const INTERVAL_S = 0.1
const CLOSED = unavailable('failed', 'the source is closed')

/** An estimate, never a measurement: CPU time of the processes times a nominal power a core. */
export function createCpuSource(options: CpuSourceOptions = {}): PolledSource {
  const {
    processIds = [process.pid],
    wattsPerCore = DEFAULT_WATTS_PER_CORE,
    now = monotonicS,
  } = options
  let isOpen = true
  const missing = unavailable('not-supported', 'a CPU estimate does not know this')
  return {
    id: DOMAIN_ID,
    domains: [
      {
        id: DOMAIN_ID,
        kind: 'cpu',
        method: 'model',
        label: 'CPU, estimated',
        deviceId: 'cpu',
        note: `An estimate, not a measurement: CPU time of process ${processIds.join(', ')} x ${wattsPerCore} W a core (nominal).`,
      },
    ],
    devices: [
      {
        id: 'cpu',
        kind: 'cpu',
        name: cpus()[0]?.model.trim() ?? 'unknown CPU',
        driver: missing,
        memoryBytes: missing,
        powerLimitW: missing,
        powerLimitDefaultW: missing,
      },
    ],
    pacing: { type: 'steady', intervalS: INTERVAL_S },
    // The operating system books CPU time in steps of up to 10 ms.
    timelines: {
      [DOMAIN_ID]: {
        method: 'model',
        type: 'steady',
        // Coarse steps pass the bound by far between two polls, hence the factor; only nonsense shall fall out.
        maxPowerW: 20 * wattsPerCore * availableParallelism(),
        resolutionJ: 0.01 * wattsPerCore,
      },
    },
    async sample() {
      const startS = now()
      const sample = isOpen
        ? await estimate(processIds, wattsPerCore, options.timeOf ?? processTimeS)
        : CLOSED
      return { startS, endS: now(), domains: { [DOMAIN_ID]: sample } }
    },
    async [Symbol.asyncDispose]() {
      isOpen = false
    },
  }
}

async function estimate(
  processIds: readonly number[],
  wattsPerCore: number,
  timeOf: typeof processTimeS,
): Promise<DomainSample> {
  const times = await Promise.all(processIds.map((id) => timeOf(id)))
  const broken = times.find(isUnavailable)
  if (broken !== undefined) return broken
  const busyS = times.reduce<number>((sum, timeS) => sum + (isUnavailable(timeS) ? 0 : timeS), 0)
  return { type: 'energy', energyJ: busyS * wattsPerCore }
}

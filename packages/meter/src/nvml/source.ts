import {
  type DomainSample,
  type EnergyDomain,
  isUnavailable,
  type SourceSample,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import type { Pacing, PolledSource } from '../polling/polled-source.js'
import type { TimelineOptions } from '../timeline/timeline.js'
import { type Nvml, openNvml } from './binding.js'
import { describeGpu, stateOf } from './describe.js'
import type { NvmlDevice } from './device-binding.js'

/** Options of `openNvmlSource`. */
export interface NvmlSourceOptions {
  /** UUIDs of the GPUs. */
  readonly devices: readonly string[]
  readonly libraryPath?: string
  /** Seconds, monotonic. */
  readonly now?: () => number
}

interface Gpu {
  readonly uuid: string
  readonly device: NvmlDevice
  readonly counterId: string
  readonly powerId: string
}

const STATE_INTERVAL_S = 1
/** Power changes every 69 to 100 ms on an H200, so that more samples would say nothing new. */
const POWER_INTERVAL_S = 0.05
const STEADY_INTERVAL_S = 0.05

/** Opens the GPUs as one source: the energy counter and the power of each. */
export async function openNvmlSource(
  options: NvmlSourceOptions,
): Promise<PolledSource | Unavailable> {
  const nvml = openNvml(options.libraryPath)
  if (isUnavailable(nvml)) return nvml
  const gpus = options.devices.map((uuid) => openGpu(nvml, uuid))
  const opened = gpus.filter((gpu): gpu is Gpu => !isUnavailable(gpu))
  if (opened.length === gpus.length && opened.length > 0) {
    return createSource(nvml, opened, options.now ?? monotonicS)
  }
  nvml.shutdown()
  return gpus.find(isUnavailable) ?? unavailable('no-device', 'no GPU was named')
}

function openGpu(nvml: Nvml, uuid: string): Gpu | Unavailable {
  const device = nvml.deviceByUuid(uuid)
  if (isUnavailable(device)) return device
  return { uuid, device, counterId: `nvml:${uuid}:counter`, powerId: `nvml:${uuid}:power` }
}

function createSource(nvml: Nvml, gpus: readonly Gpu[], now: () => number): PolledSource {
  let stateDueS = 0
  let powerDueS = 0
  return {
    id: `nvml:${gpus.map((gpu) => gpu.uuid).join(',')}`,
    domains: gpus.flatMap(domainsOf),
    devices: gpus.map((gpu) => describeGpu(nvml, gpu.uuid, gpu.device)),
    pacing: pacingOf(gpus),
    timelines: Object.fromEntries(gpus.flatMap(timelinesOf)),
    async sample() {
      const startS = now()
      const counters = gpus.map((gpu) => [gpu.counterId, counterSample(gpu.device)] as const)
      const endS = now()
      const hasPower = endS >= powerDueS
      if (hasPower) powerDueS = endS + POWER_INTERVAL_S
      const powers = hasPower
        ? gpus.map((gpu) => [gpu.powerId, powerSample(gpu.device, now)] as const)
        : []
      const sample: SourceSample = {
        startS,
        endS,
        domains: Object.fromEntries([...counters, ...powers]),
      }
      if (endS < stateDueS) return sample
      stateDueS = endS + STATE_INTERVAL_S
      return { ...sample, states: gpus.map((gpu) => stateOf(gpu.uuid, gpu.device, now())) }
    },
    async [Symbol.asyncDispose]() {
      nvml.shutdown()
    },
  }
}

function counterSample(device: NvmlDevice): DomainSample {
  const energyJ = device.totalEnergyJ()
  return isUnavailable(energyJ) ? energyJ : { type: 'energy', energyJ }
}

function powerSample(device: NvmlDevice, now: () => number): DomainSample {
  const powerW = device.powerW()
  return isUnavailable(powerW) ? powerW : { type: 'power', samples: [{ timeS: now(), powerW }] }
}

/** Without a counter (before Volta) there is no tick to follow. */
function pacingOf(gpus: readonly Gpu[]): Pacing {
  const counted = gpus.find((gpu) => !isUnavailable(gpu.device.totalEnergyJ()))
  return counted === undefined
    ? { type: 'steady', intervalS: STEADY_INTERVAL_S }
    : { type: 'tick', domainId: counted.counterId }
}

function domainsOf(gpu: Gpu): readonly EnergyDomain[] {
  const name = gpu.device.name()
  const label = isUnavailable(name) ? gpu.uuid : name
  const mig =
    gpu.device.isMig() === true
      ? ' The GPU is split by MIG: this is the whole GPU, not one slice.'
      : ''
  const common = { kind: 'gpu', deviceId: gpu.uuid } as const
  return [
    {
      ...common,
      id: gpu.counterId,
      method: 'counter',
      label: `${label}, energy counter`,
      note: `The whole board as its driver counts it (NVML total energy).${mig}`,
    },
    {
      ...common,
      id: gpu.powerId,
      method: 'integrated-power',
      label: `${label}, power integrated`,
      note: `NVML power usage, on most GPUs a mean over 1 s; the same sensor as the counter.${mig}`,
    },
  ]
}

function timelinesOf(gpu: Gpu): readonly (readonly [string, TimelineOptions])[] {
  const limitW = gpu.device.defaultPowerLimitW()
  const maxPowerW = isUnavailable(limitW) ? 2000 : Math.min(2000, 1.5 * limitW)
  return [
    [gpu.counterId, { method: 'counter', type: 'tick', maxPowerW }],
    [gpu.powerId, { method: 'integrated-power', type: 'power', maxPowerW, averagingS: 1 }],
  ]
}

import { isUnavailable, type SourceSample, type Unavailable, unavailable } from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import type { Pacing, PolledSource } from '../polling/polled-source.js'
import { type Nvml, openNvml } from './binding.js'
import { describeGpu } from './describe.js'
import { domainsOf, timelinesOf } from './domains.js'
import { type Gpu, openGpu } from './gpu.js'
import { createGpuPoll, type GpuPoll } from './gpu-poll.js'

/** Options of `openNvmlSource`. */
export interface NvmlSourceOptions {
  /** UUIDs of the GPUs. */
  readonly devices: readonly string[]
  readonly libraryPath?: string
  /** Seconds, monotonic. */
  readonly now?: () => number
  /** Milliseconds since 1970. */
  readonly wallMs?: () => number
}

const STEADY_INTERVAL_S = 0.05
const CLOCK_STEPPED =
  'The wall clock was set, or the machine slept; power samples around that moment may be missing.'

/** Opens the GPUs as one source: the energy counter and the power of each. */
export async function openNvmlSource(
  options: NvmlSourceOptions,
): Promise<PolledSource | Unavailable> {
  const nvml = openNvml(options.libraryPath)
  if (isUnavailable(nvml)) return nvml
  const { now = monotonicS, wallMs = Date.now } = options
  const gpus = await Promise.all(
    options.devices.map((uuid) => openGpu(nvml, uuid, { now, wallMs })),
  )
  const opened = gpus.filter((gpu): gpu is Gpu => !isUnavailable(gpu))
  if (opened.length === gpus.length && opened.length > 0) return createSource(nvml, opened, now)
  nvml.shutdown()
  return gpus.find(isUnavailable) ?? unavailable('no-device', 'no GPU was named')
}

interface Polled extends GpuPoll {
  readonly gpu: Gpu
}

function createSource(nvml: Nvml, gpus: readonly Gpu[], now: () => number): PolledSource {
  const polled = gpus.map((gpu) => ({ gpu, ...createGpuPoll(gpu, now) }))
  let isOpen = true
  return {
    id: `nvml:${gpus.map((gpu) => gpu.uuid).join(',')}`,
    domains: gpus.flatMap(domainsOf),
    devices: gpus.map((gpu) => describeGpu(nvml, gpu)),
    pacing: pacingOf(gpus),
    timelines: Object.fromEntries(gpus.flatMap(timelinesOf)),
    sample: async () => (isOpen ? sampleAll(polled, now) : closedSample(gpus, now)),
    async [Symbol.asyncDispose]() {
      if (isOpen) nvml.shutdown()
      isOpen = false
    },
  }
}

function sampleAll(polled: readonly Polled[], now: () => number): SourceSample {
  const startS = now()
  const counters = polled.map(({ gpu, readCounter }) => [gpu.counterId, readCounter()] as const)
  const endS = now()
  const rests = polled.map(({ gpu, readRest }) => ({ gpu, ...readRest(endS) }))
  const powers = rests.flatMap(({ gpu, power }) =>
    power === undefined ? [] : [[gpu.powerId, power] as const],
  )
  const states = rests.flatMap(({ state }) => (state === undefined ? [] : [state]))
  return {
    startS,
    endS,
    domains: Object.fromEntries([...counters, ...powers]),
    ...(states.length === 0 ? {} : { states }),
    ...(rests.some(({ clockStepped }) => clockStepped) ? { remarks: [CLOCK_STEPPED] } : {}),
  }
}

/** The handles of a closed library lead nowhere. */
function closedSample(gpus: readonly Gpu[], now: () => number): SourceSample {
  const closed = unavailable('no-data', 'the source is closed')
  const ids = gpus.flatMap(({ counterId, powerId }) => [counterId, powerId])
  const timeS = now()
  return {
    startS: timeS,
    endS: timeS,
    domains: Object.fromEntries(ids.map((id) => [id, closed])),
  }
}

/** Without a counter (before Volta, or in a virtual GPU) there is no tick to follow. */
function pacingOf(gpus: readonly Gpu[]): Pacing {
  const counted = gpus.find((gpu) => !isUnavailable(gpu.counter))
  return counted === undefined
    ? { type: 'steady', intervalS: STEADY_INTERVAL_S }
    : { type: 'tick', domainId: counted.counterId }
}

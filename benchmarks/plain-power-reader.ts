import { createTimeline, type Timeline } from '@energy-bench/meter'
import { isUnavailable } from '@energy-bench/spec'
import { monotonicS } from '../packages/meter/src/clock.js'
import { openNvml } from '../packages/meter/src/nvml/binding.js'
import type { NvmlDevice } from '../packages/meter/src/nvml/device-binding.js'

/** What a plain tool does: power at even intervals, integrated. */
export interface PlainPowerReader extends Disposable {
  /** Joules from the power usage of the driver. */
  usageJ(startS: number, endS: number): number
  /** Joules from field 186, the power of the moment. */
  instantJ(startS: number, endS: number): number
}

const POWER_INSTANT = 186

/** Reads the GPUs every `intervalS`. */
export function openPlainPowerReader(
  uuids: readonly string[],
  intervalS: number,
): PlainPowerReader {
  const nvml = openNvml()
  if (isUnavailable(nvml)) throw new Error(nvml.detail)
  const devices = uuids.map((uuid) => nvml.deviceByUuid(uuid)).filter(isDevice)
  const usage = createTimeline({ method: 'integrated-power', type: 'power', maxPowerW: 20_000 })
  const instant = createTimeline({ method: 'integrated-power', type: 'power', maxPowerW: 20_000 })
  const timer = setInterval(() => {
    add(
      usage,
      sumW(devices, (device) => device.powerW()),
    )
    add(instant, sumW(devices, instantW))
  }, 1000 * intervalS)
  return {
    usageJ: (startS, endS) => energyJ(usage, startS, endS),
    instantJ: (startS, endS) => energyJ(instant, startS, endS),
    [Symbol.dispose]() {
      clearInterval(timer)
      nvml.shutdown()
    },
  }
}

/** What the sample buffer of the driver is like, and what a look at it costs. */
export function probeBuffer(uuid: string): Readonly<Record<string, number>> {
  const nvml = openNvml()
  const device = isUnavailable(nvml) ? nvml : nvml.deviceByUuid(uuid)
  if (isUnavailable(nvml) || isUnavailable(device)) return {}
  const costsMs: number[] = []
  let samples: ReturnType<NvmlDevice['powerSamples']> = []
  for (let look = 0; look < 51; look += 1) {
    const startS = monotonicS()
    samples = device.powerSamples(0)
    costsMs.push(1000 * (monotonicS() - startS))
  }
  nvml.shutdown()
  if (isUnavailable(samples)) return {}
  const spanUs = (samples.at(-1)?.wallUs ?? 0) - (samples[0]?.wallUs ?? 0)
  return {
    'sample buffer, samples': samples.length,
    'sample buffer, spacing, ms': spanUs / 1000 / (samples.length - 1),
    'sample buffer, age of the newest, ms': Date.now() - (samples.at(-1)?.wallUs ?? 0) / 1000,
    'sample buffer, a look, p50, ms': costsMs.sort((a, b) => a - b)[25] ?? Number.NaN,
  }
}

function isDevice(device: NvmlDevice | { readonly status: string }): device is NvmlDevice {
  return !isUnavailable(device)
}

function instantW(device: NvmlDevice): unknown {
  const field = device.fields([{ id: POWER_INSTANT }])[0]
  return field === undefined || isUnavailable(field) ? undefined : field.value / 1000
}

function sumW(devices: readonly NvmlDevice[], read: (device: NvmlDevice) => unknown): number {
  return devices.map((device) => Number(read(device))).reduce((sum, powerW) => sum + powerW, 0)
}

function add(timeline: Timeline, powerW: number): void {
  const timeS = monotonicS()
  timeline.add({ type: 'power', samples: [{ timeS, powerW }] }, timeS, timeS)
}

function energyJ(timeline: Timeline, startS: number, endS: number): number {
  const energy = timeline.energyBetween(startS, endS)
  return energy.status === 'measured' ? energy.energyJ : Number.NaN
}

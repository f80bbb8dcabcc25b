import { isUnavailable, type PowerSample } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { monotonicS } from '../../src/clock.js'
import { openNvml } from '../../src/nvml/binding.js'
import type { NvmlDevice } from '../../src/nvml/device-binding.js'
import { openPowerReader, type PowerReader } from '../../src/nvml/power-reader.js'
import type { BufferedPower } from '../../src/nvml/power-samples.js'
import { buildFakeNvml } from '../build-fake-nvml.js'

function deviceOf(scenario: Readonly<Record<string, number>>): NvmlDevice {
  const nvml = openNvml(buildFakeNvml(scenario))
  if (isUnavailable(nvml)) throw new Error(nvml.detail)
  const device = nvml.deviceByUuid('GPU-fake-0000')
  if (isUnavailable(device)) throw new Error(device.detail)
  return device
}

function readerOf(scenario: Readonly<Record<string, number>>): PowerReader {
  const clocks = { now: monotonicS, wallMs: Date.now }
  return openPowerReader(deviceOf(scenario), { ...clocks, maxPowerW: 1050 })
}

function samplesOf(reader: PowerReader): readonly PowerSample[] {
  const sample = reader.read()
  if (!('type' in sample) || sample.type !== 'power') throw new Error(JSON.stringify(sample))
  return sample.samples
}

const noBuffer = { SAMPLES: 0 }
const noInstant = { ...noBuffer, FIELD_RESULT: 3 }

describe('the best way that a GPU has is used [5]', () => {
  test.each([
    ['the buffer of the driver', {}, 'samples'],
    ['field 186 without a buffer', noBuffer, 'instant'],
    ['a buffer with times of another clock', { SAMPLES_LATE_S: 4000 }, 'instant'],
    ['the mean of a second on Hopper', noInstant, 'average'],
    [
      'the mean of a second on an architecture that is not known',
      { ...noInstant, ARCHITECTURE: 99 },
      'average',
    ],
    [
      'the power of the moment on GA100',
      { ...noInstant, ARCHITECTURE: 7, CAPABILITY: 80 },
      'usage',
    ],
    ['the mean on other Ampere GPUs', { ...noInstant, ARCHITECTURE: 7, CAPABILITY: 86 }, 'average'],
    ['the power of the moment before Ampere', { ...noInstant, ARCHITECTURE: 4 }, 'usage'],
    [
      'the module where the GPU alone has none',
      { ...noInstant, USAGE_RESULT: 3, MODULE_MW: 500_000 },
      'module',
    ],
    ['nothing at all', { ...noInstant, USAGE_RESULT: 3 }, 'average'],
    ['nothing but garbage [38]', { ABSURD: 1 }, 'average'],
    ['only the oldest call', { BARE: 1 }, 'average'],
  ] as const)('%s', (_, scenario, kind) => {
    expect(readerOf(scenario).kind).toBe(kind)
  })
})

test('the buffer gives a sample each 20 ms, on the monotonic clock', () => {
  const reader = openPowerReader(deviceOf({}), {
    now: monotonicS,
    wallMs: Date.now,
    maxPowerW: 1050,
  })
  // The first read was to see whether it works; a second reader sees the whole buffer.
  expect(samplesOf(reader).length).toBeLessThanOrEqual(1)
  const device = deviceOf({})
  const buffered = device.powerSamples(0)
  if (isUnavailable(buffered)) throw new Error(buffered.detail)
  expect(buffered).toHaveLength(119)
  expect((buffered[1]?.wallUs ?? 0) - (buffered[0]?.wallUs ?? 0)).toBe(20_000)
  expect(buffered.at(-1)?.powerW).toBe(400)
  expect(Math.abs((buffered.at(-1)?.wallUs ?? 0) / 1000 - Date.now())).toBeLessThan(40)
})

/** A device whose buffer is filled by the test. */
function bufferOf(buffer: readonly BufferedPower[], asked: number[] = []): NvmlDevice {
  const device = deviceOf(noBuffer)
  return {
    ...device,
    powerSamples(sinceWallUs) {
      asked.push(sinceWallUs)
      return buffer.filter(({ wallUs }) => wallUs > sinceWallUs)
    },
  }
}

const wall0Us = 1_700_000_000_000_000
function clocksAt() {
  const clocks = { timeS: 10, wallS: wall0Us / 1e6 + 10 }
  return {
    ...{ now: () => clocks.timeS, wallMs: () => 1000 * clocks.wallS },
    maxPowerW: 1050,
    pass(durationS: number) {
      clocks.timeS += durationS
      clocks.wallS += durationS
    },
    set(stepS: number) {
      clocks.wallS += stepS
    },
  }
}

function at(timeS: number, powerW = 400): BufferedPower {
  return { wallUs: wall0Us + Math.round(timeS * 1e6), powerW }
}

test('no sample is given twice, and none that is out of order', () => {
  const buffer = [at(9.9), at(9.92)]
  const asked: number[] = []
  const clocks = clocksAt()
  const reader = openPowerReader(bufferOf(buffer, asked), clocks)
  buffer.push(at(9.94), at(9.94), at(9.93), at(9.96))
  clocks.pass(0.5)
  expect(samplesOf(reader).map(({ timeS }) => timeS.toFixed(2))).toEqual(['9.94', '9.96'])
  expect(asked.at(-1)).toBe(at(9.92).wallUs)
  expect(samplesOf(reader)).toEqual([])
})

test.each([3600, -3600])(
  'when the wall clock is set by %d s, the samples go on without a gap',
  (stepS) => {
    const buffer = [at(9.9), at(9.92)]
    const clocks = clocksAt()
    const reader = openPowerReader(bufferOf(buffer), clocks)
    clocks.pass(0.1)
    buffer.push(at(10.05))
    expect(reader.observe()).toBe(false)
    clocks.set(stepS)
    clocks.pass(0.1)
    buffer.push(at(10.15 + stepS))
    expect(reader.observe()).toBe(true)
    expect(samplesOf(reader).map(({ timeS }) => timeS.toFixed(2))).toEqual(['10.05', '10.15'])
  },
)

import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { monotonicS } from '../../src/clock.js'
import { openNvmlSource } from '../../src/nvml/source.js'
import { createTimeline } from '../../src/timeline/timeline.js'
import { buildFakeNvml } from '../build-fake-nvml.js'

type Scenario = Readonly<Record<string, number | string>>

async function open(scenario: Scenario, devices: readonly string[] = ['GPU-fake-0000']) {
  // A library of its own, whose clock starts with the test.
  const libraryPath = buildFakeNvml(scenario, `source-${Math.random()}`)
  const source = await openNvmlSource({ devices, libraryPath })
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

const counterId = 'nvml:GPU-fake-0000:counter'
const powerId = 'nvml:GPU-fake-0000:power'

async function notesOf(scenario: Scenario): Promise<readonly (string | undefined)[]> {
  await using source = await open(scenario)
  return source.domains.map((domain) => domain.note)
}

describe('what is said about the readings of a GPU', () => {
  test('both share a sensor, and the buffer of the driver is the source of the second', async () => {
    expect(await notesOf({})).toEqual([
      'The whole board as its driver counts it (NVML total energy).',
      'The power samples that the driver takes by itself (nvmlDeviceGetSamples), integrated; the same sensor as the counter.',
    ])
  })

  test('with MIG it is the whole GPU [6, 48]', async () => {
    for (const note of await notesOf({ MIG: 1 }))
      expect(note).toContain('The whole GPU, shared by all its MIG slices.')
  })

  test('on a Grace-Hopper module the counter covers the CPU too [42]', async () => {
    const [counter, power] = await notesOf({ NAME: 'NVIDIA GH200 480GB' })
    expect(counter).toMatch(/^The whole module .* do not add the CPU again\./)
    expect(power).toContain('the GPU alone, so that it is less than the counter')
  })

  test('without persistence mode the counter may start anew', async () => {
    expect((await notesOf({ PERSISTENCE: 0 }))[0]).toContain('Persistence mode is off')
  })

  test('the mean of a second is labelled as such, for people and for the timeline [5]', async () => {
    await using source = await open({
      SAMPLES: 0,
      FIELD_RESULT: 3,
      ARCHITECTURE: 7,
      CAPABILITY: 86,
    })
    expect(source.domains[1]?.note).toContain('a mean over 1 s')
    expect(source.timelines[powerId]).toMatchObject({
      averagingS: 1,
      detail: 'mean power of the last second polled, trapezoids',
    })
  })

  test('the other ways of reading the power average nothing [5]', async () => {
    await using buffer = await open({})
    expect(buffer.timelines[powerId]).toMatchObject({ averagingS: 0, maxPowerW: 1050 })
    await using instant = await open({ SAMPLES: 0 })
    expect(instant.timelines[powerId]).toMatchObject({ averagingS: 0 })
    expect(instant.domains[1]?.note).toContain('field 186')
  })
})

test('a driver that was only now loaded is given a moment to fill its buffer', async () => {
  await using source = await open({ SAMPLES_FROM_MS: 70 })
  expect(source.domains[1]?.note).toContain('nvmlDeviceGetSamples')
})

test('samples of the driver that are out of order, double or empty do no harm', async () => {
  await using source = await open({ SAMPLES_UNTIDY: 1 })
  await delay(600)
  const { domains } = await source.sample()
  const power = domains[powerId]
  if (power === undefined || !('type' in power) || power.type !== 'power')
    throw new Error(JSON.stringify(power))
  const timesS = power.samples.map(({ timeS }) => timeS)
  expect(timesS.length).toBeGreaterThan(20)
  expect(timesS).toEqual([...new Set(timesS)].sort((a, b) => a - b))
  expect(power.samples.every(({ powerW }) => powerW === 400)).toBe(true)
})

test('without a counter the power is read steadily, and the counter says why there is none [1, 2]', async () => {
  await using source = await open({ ENERGY_RESULT: 3, VIRTUALIZATION: 2 })
  expect(source.pacing.type).toBe('steady')
  expect(source.domains[1]?.note).toContain('A virtual GPU')
  const { domains } = await source.sample()
  expect(domains[counterId]).toMatchObject({ reason: 'not-supported' })
  expect(domains[powerId]).toMatchObject({ type: 'power' })
})

test('a GPU tells its state about once a second, with what held the clocks down', async () => {
  await using source = await open({})
  const first = await source.sample()
  expect(first.states).toMatchObject([
    {
      deviceId: 'GPU-fake-0000',
      powerW: 400,
      memoryTemperatureC: 52,
      throttleReasons: ['sw-power-cap', 'sw-thermal-slowdown'],
      throttledS: { 'sw-thermal-slowdown': 2.5 },
    },
  ])
  expect((await source.sample()).states).toBeUndefined()
})

test('a power that cannot be is not told in the state either [38]', async () => {
  await using source = await open({ ABSURD: 1 })
  expect((await source.sample()).states).toMatchObject([{ powerW: { reason: 'implausible' } }])
})

describe('a GPU that is lost in the middle', () => {
  test.each([15, 999, 17])(
    'with code %d is named so, and the other GPU goes on [41]',
    async (code) => {
      const scenario = { GPUS: 2, LOST_GPU: 0, LOST_AFTER_MS: 150, LOST_CODE: code }
      await using source = await open(scenario, ['GPU-fake-0000', 'GPU-fake-0001'])
      await source.sample()
      await delay(200)
      const { domains } = await source.sample()
      expect(domains[counterId]).toMatchObject({
        reason: 'device-lost',
        detail: expect.stringContaining(String(code)),
      })
      expect(domains[powerId]).toMatchObject({ reason: 'device-lost' })
      expect(domains['nvml:GPU-fake-0001:counter']).toMatchObject({ type: 'energy' })
    },
  )

  test('is taken up again when it is back', async () => {
    const scenario = { LOST_AFTER_MS: 100, LOST_UNTIL_MS: 300 }
    const libraryPath = buildFakeNvml(scenario, `source-${Math.random()}`)
    let aheadS = 0
    const now = () => monotonicS() + aheadS
    const source = await openNvmlSource({ devices: ['GPU-fake-0000'], libraryPath, now })
    if (isUnavailable(source)) throw new Error(source.detail)
    await source.sample()
    await delay(150)
    expect((await source.sample()).domains[counterId]).toMatchObject({ reason: 'device-lost' })
    await delay(200)
    // Asked again only after a second.
    expect((await source.sample()).domains[counterId]).toMatchObject({ reason: 'device-lost' })
    aheadS = 1
    expect((await source.sample()).domains[counterId]).toMatchObject({ type: 'energy' })
    await source[Symbol.asyncDispose]()
  })

  test('a call that never worked is no loss', async () => {
    await using source = await open({ ENERGY_RESULT: 999 })
    const { domains } = await source.sample()
    expect(domains[counterId]).toMatchObject({ reason: 'failed' })
    expect(domains[powerId]).toMatchObject({ type: 'power' })
  })
})

test('in bursts of 50 ms the buffer agrees with the counter within 2 %, where polls would be far off', async () => {
  await using source = await open({ BURST_ON_MS: 50, BURST_OFF_MS: 150 })
  const timelines = new Map(
    Object.entries(source.timelines).map(([id, options]) => [id, createTimeline(options)]),
  )
  const startS = monotonicS() + 0.1
  while (monotonicS() < startS + 2.8) {
    const { domains, startS: fromS, endS } = await source.sample()
    for (const [id, sample] of Object.entries(domains)) timelines.get(id)?.add(sample, fromS, endS)
    await delay(4)
  }
  const [counter, power] = [counterId, powerId].map((id) => {
    const energy = timelines.get(id)?.energyBetween(startS + 0.1, startS + 2.1)
    if (energy?.status !== 'measured') throw new Error(JSON.stringify(energy))
    return energy.energyJ
  })
  // 50 ms of 400 W and 150 ms of 100 W.
  expect((counter ?? 0) / 350).toBeCloseTo(1, 2)
  expect(Math.abs((power ?? 0) / (counter ?? 0) - 1)).toBeLessThan(0.02)
})

test('a GPU that is not there is a value', async () => {
  const libraryPath = buildFakeNvml()
  expect(await openNvmlSource({ devices: ['GPU-other'], libraryPath })).toMatchObject({
    reason: 'no-device',
  })
})

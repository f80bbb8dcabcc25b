import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openMeter, totalByMethod } from '@energy-bench/meter'
import { describe, expect, test } from 'vitest'
import { assessReading } from '../src/flags/index.js'
import { measureIdle } from '../src/idle/measure-idle.js'
import { createTimeline } from '../src/timeline/timeline.js'
import { buildFakeNvml } from './build-fake-nvml.js'
import { createPowerMeter } from './idle/power-meter.js'
import { createClock, createFixture } from './linux/fixture.js'
import { open } from './rapl/open.js'
import { energyPath, ULTRA_265H } from './rapl/trees.js'
import { only, startPlug } from './wall/server.js'

// Faults that were reported of other meters and fit into no file of one driver; the rows are those of docs/meter-faults.md.

const environment = {}
/** A machine that is busy with other work can spoil a measurement in real time, not several in a row. */
const realTime = { retry: 3, timeout: 30_000 }

test('row 11: a GPU that cannot be read is told, and the estimate in its place is flagged', async () => {
  const nvmlLibraryPath = '/nowhere/libnvidia-ml.so.1'
  await using meter = await openMeter({ nvmlLibraryPath, environment })
  expect(meter.selection[0]).toMatch(/^NVML: library-missing: NVML could not be loaded/)
  await delay(400)
  const endS = meter.now()
  const reading = await meter.energyBetween(endS - 0.2, endS)
  const { domains, devices } = meter
  const flags = assessReading({ reading, domains, devices, states: [] })
  expect(flags.map(({ name }) => name)).toContain('estimate-only')
})

test('row 23: an event loop that is blocked for 3 s loses no poll', realTime, async () => {
  const nvmlLibraryPath = buildFakeNvml({ READ_MS: 3 })
  await using meter = await openMeter({ meter: 'nvml', nvmlLibraryPath, environment })
  await delay(1000)
  const startS = meter.now()
  while (meter.now() - startS < 3) Math.sqrt(startS)
  const reading = await meter.energyBetween(startS, meter.now())
  const counter = reading.domains['nvml:GPU-fake-0000:counter']
  if (counter?.status !== 'measured') throw new Error(JSON.stringify(counter))
  expect(counter.coverageRatio).toBe(1)
  expect(Math.abs(counter.energyJ / (400 * reading.durationS) - 1)).toBeLessThan(0.01)
})

describe('row 50: the wall beside its parts', () => {
  test('both stand in the totals, so that their ratio can be told', realTime, async () => {
    await using plug = await startPlug(only('/power', { watts: 640 }))
    await using meter = await openMeter({
      meter: ['nvml', 'wall'],
      nvmlLibraryPath: buildFakeNvml({ READ_MS: 3 }),
      environment,
      wall: [`http-json+http://${plug.host}/power#power=/watts`],
    })
    await delay(3000)
    const endS = meter.now()
    const reading = await meter.energyBetween(endS - 1.5, endS)
    const { counter, wall } = totalByMethod(reading, meter.domains)
    if (counter?.status !== 'measured' || wall?.status !== 'measured') throw new Error('no total')
    expect(wall.energyJ / counter.energyJ).toBeCloseTo(640 / 400, 1)
  })
})

test(
  'row 51: a plug that goes away while measuring leaves the GPU measured',
  realTime,
  async () => {
    const plug = await startPlug(only('/power', { watts: 640 }))
    await using meter = await openMeter({
      meter: ['nvml', 'wall'],
      nvmlLibraryPath: buildFakeNvml({ READ_MS: 3 }),
      environment,
      wall: [`http-json+http://${plug.host}/power#power=/watts`],
    })
    await delay(1500)
    const startS = meter.now()
    await plug[Symbol.asyncDispose]()
    await delay(3500)
    const reading = await meter.energyBetween(startS, meter.now())
    const { counter, wall } = totalByMethod(reading, meter.domains)
    expect(counter).toMatchObject({ status: 'measured' })
    expect(wall).toMatchObject({
      reason: 'device-lost',
      detail: expect.stringMatching(/cannot be reached/),
    })
  },
)

test('row 52: a plug that shows power for 5 s after the load went is waited out', async () => {
  // As a Tasmota plug: the load is gone at 0 s, and the plug holds the last value.
  const meter = createPowerMeter({ powerW: (timeS) => (timeS < 5 ? 300 : 60), tickS: 1 })
  const idle = await measureIdle(meter, { delay: meter.delay, settleS: 'auto' })
  expect(idle.startS).toBeGreaterThan(5)
  expect(idle.domains.a).toMatchObject({ powerW: expect.closeTo(60, 6) })
})

test('row 53: the first sample of power has no stretch before it, and is no energy', () => {
  const timeline = createTimeline({ method: 'wall', type: 'power' })
  const add = (timeS: number, powerW: number) =>
    timeline.add({ type: 'power', samples: [{ timeS, powerW }] }, timeS, timeS)
  add(10, 900)
  expect(timeline.energyBetween(9, 10)).toMatchObject({ reason: 'no-data' })
  add(11, 100)
  add(12, 100)
  expect(timeline.energyBetween(9.5, 11)).toMatchObject({ reason: 'no-data' })
  expect(timeline.energyBetween(11, 12)).toMatchObject({ energyJ: 100 })
})

test('row 53: the first value of a counter is a beginning, and no energy', () => {
  const timeline = createTimeline({ method: 'counter', type: 'steady' })
  timeline.add({ type: 'energy', energyJ: 5e6 }, 10, 10)
  timeline.add({ type: 'energy', energyJ: 5e6 + 50 }, 11, 11)
  expect(timeline.energyBetween(9, 11)).toMatchObject({ reason: 'no-data' })
  expect(timeline.energyBetween(10, 11)).toMatchObject({ energyJ: 50 })
})

test('row 54: metering a GPU costs less than a twentieth of a core', realTime, async () => {
  const nvmlLibraryPath = buildFakeNvml({ READ_MS: 3 })
  await using meter = await openMeter({ meter: 'nvml', nvmlLibraryPath, environment })
  // It learns the tick first.
  await delay(2000)
  const before = process.cpuUsage()
  const startS = meter.now()
  await delay(2000)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6 / (meter.now() - startS)).toBeLessThan(0.05)
})

test('row 55: what RAPL is said to have counted is what its files say, to the microjoule', async () => {
  using fixture = createFixture(ULTRA_265H)
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  const rawUj = () => Number(readFileSync(join(fixture.root, energyPath('intel-rapl:0')), 'utf8'))
  const firstUj = rawUj()
  const told: number[] = []
  for (let poll = 0; poll < 50; poll += 1) {
    fixture.write(energyPath('intel-rapl:0'), firstUj + 1_234_567 * poll)
    const sample = (await source.sample()).domains['rapl:package-0']
    if (sample === undefined || !('energyJ' in sample)) throw new Error(JSON.stringify(sample))
    told.push(sample.energyJ)
    clock.advance(0.05)
  }
  const gainedUj = Math.round(1e6 * ((told.at(-1) ?? 0) - (told[0] ?? 0)))
  expect(gainedUj).toBe(rawUj() - firstUj)
})

import { isUnavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { type IntelGpuSourceOptions, openIntelGpuSource } from '../../src/intel/source.js'
import type { LinuxSource } from '../../src/linux/polled-source.js'
import { createClock, createFixture, type Fixture, failing, recording } from '../linux/fixture.js'
import { intelGpu, XE_SENSORS } from './trees.js'

const ENERGY1 = 'class/drm/card3/device/hwmon/hwmon1/energy1_input'
const STATUS = 'class/drm/card3/device/power/runtime_status'
const CARD = 'intel:0000:03:00.0:card'
const PACKAGE = 'intel:0000:03:00.0:pkg'
const NO_LIBRARY = { libraryPath: '/nowhere/libze_loader.so.1' }

async function open(fixture: Fixture, more: IntelGpuSourceOptions = {}): Promise<LinuxSource> {
  const source = await openIntelGpuSource({ root: fixture.root, ...NO_LIBRARY, ...more })
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

test('of a card of xe the card counts, and the package is part of it', async () => {
  using fixture = createFixture(intelGpu('xe', '03', XE_SENSORS))
  await using source = await open(fixture)
  expect(source.domains.map((domain) => [domain.id, domain.partOf])).toEqual([
    [CARD, undefined],
    [PACKAGE, CARD],
  ])
  expect((await source.sample()).domains).toEqual({
    [CARD]: { type: 'energy', energyJ: 710_000 },
    [PACKAGE]: { type: 'energy', energyJ: 500_000 },
  })
})

test('where only the package can be read, it stands for the GPU', async () => {
  using fixture = createFixture(intelGpu('xe', '03', XE_SENSORS))
  await using source = await open(fixture, { files: failing(/energy1_input$/, 'EOPNOTSUPP') })
  expect(source.domains.map((domain) => [domain.id, domain.partOf])).toEqual([[PACKAGE, undefined]])
})

test('i915 has one counter without a label, and one of each tile that is part of it', async () => {
  using fixture = createFixture({
    ...intelGpu('i915', '03', { energy1_input: 9_000_000 }),
    'class/drm/card3/device/hwmon/hwmon0/name': 'i915_gt0',
    'class/drm/card3/device/hwmon/hwmon0/energy1_input': 4_000_000,
  })
  await using source = await open(fixture)
  expect(source.domains.map((domain) => [domain.id, domain.partOf])).toEqual([
    ['intel:0000:03:00.0:i915_gt0', 'intel:0000:03:00.0:i915'],
    ['intel:0000:03:00.0:i915', undefined],
  ])
})

test('a counter far beyond 32 bits is not cut off', async () => {
  using fixture = createFixture(intelGpu('xe', '03', XE_SENSORS))
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  await source.sample()
  fixture.write(ENERGY1, 710_000_000_000 + 15_000_000)
  clock.advance(0.1)
  expect((await source.sample()).domains[CARD]).toEqual({ type: 'energy', energyJ: 710_015 })
})

test('a driver that was loaded again is a reset, not negative energy', async () => {
  using fixture = createFixture(intelGpu('xe', '03', XE_SENSORS))
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  await source.sample()
  fixture.write(ENERGY1, 5)
  clock.advance(0.1)
  expect((await source.sample()).domains[CARD]).toMatchObject({ reason: 'counter-reset' })
})

test('it is polled often enough for the 32-bit register behind i915', async () => {
  using fixture = createFixture(intelGpu('i915', '03', { energy1_input: 9_000_000 }))
  await using source = await open(fixture)
  expect(source.maxPollIntervalS).toBe(30)
})

test('row 40: a suspended GPU is opened without being read', async () => {
  using fixture = createFixture(intelGpu('xe', '03', XE_SENSORS))
  fixture.write(STATUS, 'suspended')
  const { files, read } = recording()
  await using source = await open(fixture, { files })
  expect((await source.sample()).domains[CARD]).toMatchObject({ reason: 'asleep' })
  expect(read.filter((path) => /_input$|_max$|freq/.test(path))).toEqual([])
  fixture.write(STATUS, 'active')
  expect((await source.sample()).domains[CARD]).toMatchObject({ type: 'energy' })
})

test('row 40: a GPU that was not asked for is not read', async () => {
  using fixture = createFixture({
    ...intelGpu('xe', '03', XE_SENSORS),
    ...intelGpu('i915', '04', { energy1_input: 1_000_000 }),
  })
  const { files, read } = recording()
  await using source = await open(fixture, { files, devices: ['0000:04:00.0'] })
  await source.sample()
  expect(source.id).toBe('intel:0000:04:00.0')
  expect(read.filter((path) => path.includes('card3') && path.includes('hwmon'))).toEqual([])
})

test('a denied energy file is reported with its command', async () => {
  using fixture = createFixture(intelGpu('i915', '03', { energy1_input: 1_000_000 }))
  await using source = await open(fixture, { files: failing(/energy1_input$/) })
  expect(Object.values((await source.sample()).domains)).toMatchObject([
    { reason: 'permission-denied', fix: `Run: sudo chmod a+r ${fixture.root}/${ENERGY1}` },
  ])
})

test('a built-in GPU without a counter says where its energy is', async () => {
  using fixture = createFixture(intelGpu('i915', '00'))
  expect(await openIntelGpuSource({ root: fixture.root, ...NO_LIBRARY })).toMatchObject({
    reason: 'not-supported',
    fix: expect.stringContaining('RAPL uncore'),
  })
})

test('a built-in GPU without a counter does not hide the card beside it, unless it was asked for', async () => {
  using fixture = createFixture({ ...intelGpu('i915', '00'), ...intelGpu('xe', '03', XE_SENSORS) })
  await using source = await open(fixture)
  expect(source.devices.map((device) => device.id)).toEqual(['0000:03:00.0'])
  const both = { root: fixture.root, ...NO_LIBRARY, devices: [0, 1] }
  expect(await openIntelGpuSource(both)).toMatchObject({ reason: 'not-supported' })
})

test('a machine without an Intel GPU has no device', async () => {
  using fixture = createFixture()
  expect(await openIntelGpuSource({ root: fixture.root })).toMatchObject({ reason: 'no-device' })
})

test('temperature, clock and limits are told where the files are', async () => {
  using fixture = createFixture({
    ...intelGpu('xe', '03', XE_SENSORS),
    'class/drm/card3/device/tile0/gt0/freq0/act_freq': 2850,
  })
  await using source = await open(fixture)
  expect(source.devices[0]).toMatchObject({
    name: 'Intel GPU 8086:e20b',
    driver: 'xe',
    powerLimitW: 190,
    powerLimitDefaultW: 180,
  })
  expect((await source.sample()).states?.[0]).toMatchObject({
    temperatureC: 48,
    clockHz: 2.85e9,
    powerLimitW: 190,
    memoryClockHz: { status: 'unavailable' },
  })
})

test('a limit of 0 means that there is none', async () => {
  using fixture = createFixture(intelGpu('i915', '03', { energy1_input: 1_000_000, power1_max: 0 }))
  await using source = await open(fixture)
  expect(source.devices[0]?.powerLimitW).toMatchObject({ reason: 'not-supported' })
})

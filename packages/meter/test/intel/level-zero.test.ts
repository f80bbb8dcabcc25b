import { isUnavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { openLevelZero } from '../../src/intel/level-zero.js'
import { type IntelGpuSourceOptions, openIntelGpuSource } from '../../src/intel/source.js'
import type { LinuxSource } from '../../src/linux/polled-source.js'
import { createClock, createFixture } from '../linux/fixture.js'
import { buildFakeLevelZero } from './fake-level-zero.js'
import { intelGpu, XE_SENSORS } from './trees.js'

const PREFIX = 'intel:0000:03:00.0'

async function open(options: IntelGpuSourceOptions): Promise<LinuxSource> {
  const source = await openIntelGpuSource(options)
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

test('the counters of a GPU are found by its bus address, and all but the card are part of it', async () => {
  using fixture = createFixture(intelGpu('xe', '03'))
  const fake = buildFakeLevelZero()
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  expect(source.domains.map((domain) => [domain.id, domain.partOf])).toEqual([
    [`${PREFIX}:card`, undefined],
    [`${PREFIX}:package`, `${PREFIX}:card`],
    [`${PREFIX}:memory`, `${PREFIX}:card`],
  ])
  expect((await source.sample()).domains[`${PREFIX}:card`]).toEqual({ type: 'energy', energyJ: 5 })
})

test('a tile is part of the package that contains it, never the whole', async () => {
  using fixture = createFixture(intelGpu('i915', '03'))
  const fake = buildFakeLevelZero()
  fake.setDomains(4, true)
  fake.failEnergy(0x78000003, 0)
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  expect(source.domains.map((domain) => [domain.id, domain.partOf])).toEqual([
    [`${PREFIX}:package-1`, undefined],
    [`${PREFIX}:memory`, `${PREFIX}:package-1`],
    [`${PREFIX}:package-3`, `${PREFIX}:package-1`],
  ])
})

test('a driver that does not say what its counter covers still counts once', async () => {
  using fixture = createFixture(intelGpu('i915', '03'))
  const fake = buildFakeLevelZero()
  fake.setDomains(2, false)
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  expect(source.domains.filter((domain) => domain.partOf === undefined)).toHaveLength(1)
  expect(source.domains[0]?.note).toContain('does not say')
})

test('energy is whole beyond 32 bits, and going back is a reset', async () => {
  using fixture = createFixture(intelGpu('xe', '03'))
  const fake = buildFakeLevelZero()
  fake.setDomains(1, true)
  fake.setEnergy(710_000_000_000n)
  const clock = createClock()
  await using source = await open({ root: fixture.root, libraryPath: fake.path, now: clock.now })
  expect((await source.sample()).domains[`${PREFIX}:card`]).toMatchObject({ energyJ: 710_000 })
  fake.setEnergy(3)
  clock.advance(0.05)
  expect((await source.sample()).domains[`${PREFIX}:card`]).toMatchObject({
    reason: 'counter-reset',
  })
})

test.each([
  ['0x70010000', 'permission-denied'],
  ['0x70010001', 'no-data'],
  ['0x70000001', 'device-lost'],
  ['0x70000007', 'asleep'],
  ['0x78000003', 'not-supported'],
  ['0x7ffffffe', 'failed'],
])('result %s while measuring means %s', async (result, reason) => {
  using fixture = createFixture(intelGpu('xe', '03'))
  const fake = buildFakeLevelZero()
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  fake.failEnergy(Number(result), -1)
  expect((await source.sample()).domains[`${PREFIX}:card`]).toMatchObject({ reason })
})

test('when no counter can be read from the start, the reason is that of the library', async () => {
  using fixture = createFixture(intelGpu('xe', '03'))
  const fake = buildFakeLevelZero()
  fake.failEnergy(0x70010000, -1)
  expect(await openIntelGpuSource({ root: fixture.root, libraryPath: fake.path })).toMatchObject({
    reason: 'permission-denied',
    fix: expect.stringContaining('render'),
  })
})

test.each([
  ['0x78000001', 'library-missing'],
  ['0x70020000', 'library-missing'],
  ['0x78000002', 'driver-mismatch'],
])('result %s of zesInit means %s', (result, reason) => {
  const fake = buildFakeLevelZero()
  fake.setInit(Number(result))
  expect(openLevelZero(fake.path)).toMatchObject({ reason })
})

test('a GPU that the library does not show has no device', async () => {
  using fixture = createFixture(intelGpu('xe', '07'))
  const fake = buildFakeLevelZero()
  expect(await openIntelGpuSource({ root: fixture.root, libraryPath: fake.path })).toMatchObject({
    reason: 'no-device',
  })
})

test('the library is not loaded where the files of the driver suffice', async () => {
  using fixture = createFixture(intelGpu('xe', '03', XE_SENSORS))
  const fake = buildFakeLevelZero()
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  expect(fake.inits()).toBe(0)
  expect(source.domains[0]?.note).toContain('hwmon')
})

test('row 40: while one Intel GPU sleeps the library, which would wake it, is not initialised', async () => {
  using fixture = createFixture({ ...intelGpu('xe', '03'), ...intelGpu('xe', '04') })
  fixture.write('class/drm/card4/device/power/runtime_status', 'suspended')
  const fake = buildFakeLevelZero()
  const answer = await openIntelGpuSource({
    root: fixture.root,
    libraryPath: fake.path,
    devices: [0],
  })
  expect(answer).toMatchObject({ status: 'unavailable', reason: 'asleep' })
  expect(fake.inits()).toBe(0)
})

test('a library that is not there says what to install', () => {
  expect(openLevelZero('/nowhere/libze_loader.so.1')).toMatchObject({
    reason: 'library-missing',
    fix: expect.stringContaining('libze1'),
  })
})

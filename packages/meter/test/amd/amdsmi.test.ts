import { isUnavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { openAmdSmi } from '../../src/amd/binding.js'
import { amdSmiPaths } from '../../src/amd/library-paths.js'
import { type AmdGpuSourceOptions, openAmdGpuSource } from '../../src/amd/source.js'
import type { LinuxSource } from '../../src/linux/polled-source.js'
import { createClock, createFixture } from '../linux/fixture.js'
import { buildFakeAmdSmi } from './fake-amdsmi.js'
import { amdGpu } from './trees.js'

const COUNTER = 'amd:48ff744c-0000-1000-8000-000000000003:counter'
const POWER = 'amd:48ff744c-0000-1000-8000-000000000003:power'

async function open(options: AmdGpuSourceOptions): Promise<LinuxSource> {
  const source = await openAmdGpuSource(options)
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

test.each([
  [24, 68],
  [25, 40],
  [26, 192],
  [27, 192],
])('version %i with a struct of %i bytes gives energy, power, address and UUID', (abi, bytes) => {
  const fake = buildFakeAmdSmi(abi)
  expect(fake.powerBytes).toBe(bytes)
  const smi = openAmdSmi(fake.path)
  if (isUnavailable(smi)) throw new Error(smi.detail)
  expect(smi.version).toBe(abi)
  expect(smi.gpus.map((gpu) => [gpu.bdf, gpu.uuid])).toEqual([
    ['0000:03:00.0', '48ff744c-0000-1000-8000-000000000003'],
    ['0000:83:00.0', '99ff744c-0000-1000-8000-000000000083'],
  ])
  expect(smi.gpus[0]?.energyUj()).toBeCloseTo(15_300_000, 0)
  fake.setPower(250, 0xffff)
  expect(smi.gpus[0]?.powerW()).toBe(250)
  fake.setPower(0xffffffff, 180)
  expect(smi.gpus[0]?.powerW()).toBe(180)
  fake.setPower(3_700_000, 0xffff)
  expect(smi.gpus[0]?.powerW()).toMatchObject({ reason: 'implausible' })
  fake.setPower(0xffff, 0xffff)
  expect(smi.gpus[0]?.powerW()).toMatchObject({ reason: 'no-data' })
  smi.shutdown()
  expect(fake.inits()).toBe(0)
})

test('the library can be opened twice', () => {
  const fake = buildFakeAmdSmi(26)
  const opened = [openAmdSmi(fake.path), openAmdSmi(fake.path)]
  expect(opened.map(isUnavailable)).toEqual([false, false])
})

test('a version that is not known is a mismatch and is closed again', () => {
  const fake = buildFakeAmdSmi(99)
  expect(openAmdSmi(fake.path)).toMatchObject({
    reason: 'driver-mismatch',
    detail: expect.stringContaining('version 99'),
  })
  expect(fake.inits()).toBe(0)
})

test('a library without the counter function is a mismatch', () => {
  const fake = buildFakeAmdSmi(26, ['-DWITHOUT_ENERGY'])
  expect(openAmdSmi(fake.path)).toMatchObject({
    reason: 'driver-mismatch',
    detail: expect.stringContaining('amdsmi_get_energy_count'),
  })
})

test.each([
  [10, 'permission-denied'],
  [34, 'no-device'],
  [77, 'failed'],
])('status %i of amdsmi_init means %s', (status, reason) => {
  const fake = buildFakeAmdSmi(26)
  fake.setInit(status)
  expect(openAmdSmi(fake.path)).toMatchObject({ reason })
})

test('a library that is not there says what to install', () => {
  expect(openAmdSmi('/nowhere/libamd_smi.so')).toMatchObject({
    reason: 'library-missing',
    fix: expect.stringContaining('amd-smi-lib'),
  })
})

test('an absurd count is not believed', () => {
  const fake = buildFakeAmdSmi(26)
  fake.setEnergy(-1)
  const smi = openAmdSmi(fake.path)
  expect(!isUnavailable(smi) && smi.gpus[0]?.energyUj()).toMatchObject({ reason: 'implausible' })
})

test('the folders of the environment come first, the newest version before the older ones', () => {
  const paths = amdSmiPaths({ AMDSMI_LIB_DIR: '/a', ROCM_PATH: '/r' })
  expect(paths.slice(0, 2)).toEqual(['/a/libamd_smi.so.27', '/a/libamd_smi.so.26'])
  expect(paths).toContain('/r/lib/libamd_smi.so.24')
  expect(paths.at(-1)).toBe('/opt/rocm/lib/libamd_smi.so')
})

test('a GPU has a counter and a power domain, and is found in the library by its address', async () => {
  using fixture = createFixture(amdGpu(0, '03', { power1_average: 100_000_000 }))
  const fake = buildFakeAmdSmi(26)
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  expect(source.domains.map((domain) => [domain.id, domain.method])).toEqual([
    [POWER, 'integrated-power'],
    [COUNTER, 'counter'],
  ])
  const sample = (await source.sample()).domains[COUNTER]
  expect(sample).toMatchObject({ type: 'energy', energyJ: expect.closeTo(15.3, 5) })
})

test('the UUID of the library chooses a GPU', async () => {
  using fixture = createFixture({
    ...amdGpu(0, '03', { power1_average: 1_000_000 }),
    ...amdGpu(1, '83', { power1_average: 1_000_000 }),
  })
  const libraryPath = buildFakeAmdSmi(26).path
  await using source = await open({ root: fixture.root, libraryPath, devices: ['99FF744C'] })
  expect(source.id).toBe('amd:0000:83:00.0')
})

test('row 45: a frozen counter is not believed while power flows, and power stays', async () => {
  using fixture = createFixture(amdGpu(0, '03', { power1_average: 100_000_000 }))
  const clock = createClock()
  const fake = buildFakeAmdSmi(25)
  await using source = await open({ root: fixture.root, libraryPath: fake.path, now: clock.now })
  await source.sample()
  clock.advance(0.6)
  const { domains } = await source.sample()
  expect(domains[COUNTER]).toMatchObject({ status: 'unavailable', reason: 'implausible' })
  expect(domains[POWER]).toMatchObject({ type: 'power' })
  fake.setEnergy(2_000_000)
  clock.advance(0.6)
  expect((await source.sample()).domains[COUNTER]).toMatchObject({ reason: 'implausible' })
})

test('row 45: a counter that runs 20 times too fast is not believed', async () => {
  using fixture = createFixture(amdGpu(0, '03', { power1_average: 100_000_000 }))
  const clock = createClock()
  const fake = buildFakeAmdSmi(26)
  await using source = await open({ root: fixture.root, libraryPath: fake.path, now: clock.now })
  await source.sample()
  fake.setEnergy(1_000_000 + (2000 * 0.6) / 15.3e-6)
  clock.advance(0.6)
  expect((await source.sample()).domains[COUNTER]).toMatchObject({ reason: 'implausible' })
})

test('a counter that agrees with power is believed over and over', async () => {
  using fixture = createFixture(amdGpu(0, '03', { power1_average: 100_000_000 }))
  const clock = createClock()
  const fake = buildFakeAmdSmi(26)
  await using source = await open({ root: fixture.root, libraryPath: fake.path, now: clock.now })
  let steps = 1_000_000
  for (let poll = 0; poll < 50; poll += 1) {
    fake.setEnergy(steps)
    expect((await source.sample()).domains[COUNTER]).toMatchObject({ type: 'energy' })
    steps += Math.round(5 / 15.3e-6)
    clock.advance(0.05)
  }
})

test('a counter that is not supported leaves power', async () => {
  using fixture = createFixture(amdGpu(0, '03', { power1_input: 100_000_000 }))
  const fake = buildFakeAmdSmi(26)
  fake.setEnergy(0, 2)
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  const { domains } = await source.sample()
  expect(domains[COUNTER]).toMatchObject({ reason: 'not-supported' })
  expect(domains[POWER]).toMatchObject({ type: 'power' })
})

test('without a power file the power of the library is used', async () => {
  using fixture = createFixture(amdGpu(0, '03'))
  const fake = buildFakeAmdSmi(27)
  fake.setPower(321, 0xffff)
  await using source = await open({ root: fixture.root, libraryPath: fake.path })
  expect((await source.sample()).domains[POWER]).toMatchObject({ samples: [{ powerW: 321 }] })
})

test('row 40: while one GPU sleeps the library, which would wake it, is not initialised', async () => {
  using fixture = createFixture({
    ...amdGpu(0, '03', { power1_average: 100_000_000 }),
    ...amdGpu(1, '83', { power1_average: 100_000_000 }),
  })
  fixture.write('class/drm/card1/device/power/runtime_status', 'suspended')
  const fake = buildFakeAmdSmi(26)
  await using source = await open({ root: fixture.root, libraryPath: fake.path, devices: [0] })
  expect(fake.inits()).toBe(0)
  expect(source.domains.map((domain) => domain.id)).toEqual(['amd:0000:03:00.0:power'])
})

test('closing the source closes the library', async () => {
  using fixture = createFixture(amdGpu(0, '03', { power1_average: 1_000_000 }))
  const fake = buildFakeAmdSmi(26)
  const source = await open({ root: fixture.root, libraryPath: fake.path })
  expect(fake.inits()).toBe(1)
  await source[Symbol.asyncDispose]()
  expect(fake.inits()).toBe(0)
})

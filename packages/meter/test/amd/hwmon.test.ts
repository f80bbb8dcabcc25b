import { isUnavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { openAmdGpuSource } from '../../src/amd/source.js'
import type { LinuxSource } from '../../src/linux/polled-source.js'
import type { SysFiles } from '../../src/linux/sysfs.js'
import { createClock, createFixture, type Fixture, recording } from '../linux/fixture.js'
import { amdGpu } from './trees.js'

const NO_LIBRARY = { libraryPath: '/nowhere/libamd_smi.so', now: createClock().now }

interface Wish {
  readonly devices?: readonly (string | number)[]
  readonly files?: SysFiles
}

async function open(fixture: Fixture, wish: Wish = {}): Promise<LinuxSource> {
  const source = await openAmdGpuSource({ root: fixture.root, ...NO_LIBRARY, ...wish })
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

async function powerOf(sensors: Readonly<Record<string, string | number>>): Promise<unknown> {
  using fixture = createFixture(amdGpu(0, '03', sensors))
  await using source = await open(fixture)
  return (await source.sample()).domains['amd:0000:03:00.0:power']
}

test('row 46: an older GPU has only power1_average', async () => {
  expect(await powerOf({ power1_average: 120_000_000 })).toEqual({
    type: 'power',
    samples: [{ timeS: 100, powerW: 120 }],
  })
})

test('row 46: a GPU that has only power1_input is read, not 0 W', async () => {
  expect(await powerOf({ power1_input: 95_500_000 })).toMatchObject({ samples: [{ powerW: 95.5 }] })
})

test('row 46: of two files the mean is taken, and the other one where the mean is no reading', async () => {
  const both = { power1_average: 80_000_000, power1_input: 90_000_000 }
  expect(await powerOf(both)).toMatchObject({ samples: [{ powerW: 80 }] })
  expect(await powerOf({ ...both, power1_average: 0 })).toMatchObject({ samples: [{ powerW: 90 }] })
})

test.each([
  ['0xFFFF milliwatts', 65_535_000],
  ['0xFFFF watts', 65_535_000_000],
  ['all ones in 32 bits', 4_294_967_295],
  ['3.7 million milliwatts', 3_700_000_000_000],
  ['less than nothing', -5],
])('rows 38 and 46: %s is rejected', async (_what, microwatts) => {
  expect(await powerOf({ power1_average: microwatts })).toMatchObject({
    status: 'unavailable',
    reason: 'implausible',
  })
})

test('0 W of a GPU that is awake is no reading', async () => {
  expect(await powerOf({ power1_average: 0 })).toMatchObject({ reason: 'no-data' })
})

test('a GPU without a power file is not supported', async () => {
  using fixture = createFixture(amdGpu(0, '03', { temp1_input: 40_000 }))
  expect(await openAmdGpuSource({ root: fixture.root, ...NO_LIBRARY })).toMatchObject({
    reason: 'not-supported',
    detail: expect.stringContaining('power1_average'),
  })
})

test('a machine without an AMD GPU has no device', async () => {
  using fixture = createFixture()
  expect(await openAmdGpuSource({ root: fixture.root, ...NO_LIBRARY })).toMatchObject({
    reason: 'no-device',
  })
})

test('row 40: a suspended GPU is not read, and is measured once it is awake', async () => {
  using fixture = createFixture(amdGpu(0, '03', { power1_average: 50_000_000 }))
  const status = 'class/drm/card0/device/power/runtime_status'
  fixture.write(status, 'suspended')
  const { files, read } = recording()
  await using source = await open(fixture, { files })
  expect((await source.sample()).domains['amd:0000:03:00.0:power']).toMatchObject({
    reason: 'asleep',
    detail: expect.stringContaining('suspended'),
  })
  expect(read.filter((path) => /power1|temp1|freq|mem_info/.test(path))).toEqual([])
  fixture.write(status, 'active')
  expect((await source.sample()).domains['amd:0000:03:00.0:power']).toMatchObject({
    samples: [{ powerW: 50 }],
  })
})

test('row 40: a GPU that was not asked for is not read', async () => {
  using fixture = createFixture({
    ...amdGpu(0, '03', { power1_average: 50_000_000 }),
    ...amdGpu(1, '83', { power1_average: 60_000_000 }),
  })
  const { files, read } = recording()
  await using source = await open(fixture, { files, devices: ['83:00.0'] })
  await source.sample()
  expect(source.devices.map((device) => device.id)).toEqual(['0000:83:00.0'])
  expect(read.filter((path) => path.includes('card0') && path.includes('hwmon'))).toEqual([])
})

test('a GPU is chosen by bus address, by UUID, by its beginning and by index in the order of the bus', async () => {
  using fixture = createFixture({
    ...amdGpu(1, '03', { power1_average: 1_000_000 }),
    ...amdGpu(0, '83', { power1_average: 1_000_000 }),
    'class/drm/card1/device/unique_id': 'abc0000000000001',
    'class/drm/card0/device/unique_id': 'abd0000000000002',
    'class/drm/card0-DP-1/status': 'connected',
  })
  const first = 'GPU-abc0000000000001'
  const second = 'GPU-abd0000000000002'
  for (const [want, id] of [
    ['0000:03:00.0', first],
    [second, second],
    ['abd', second],
    [0, first],
    [1, second],
  ] as const) {
    await using source = await open(fixture, { devices: [want] })
    expect(source.devices.map((device) => device.id)).toEqual([id])
  }
})

test.each([['GPU-ab'], ['0000:99:00.0'], [7], ['']])('%j names no single GPU', async (want) => {
  using fixture = createFixture({
    ...amdGpu(0, '03', { power1_average: 1_000_000 }),
    ...amdGpu(1, '83', { power1_average: 1_000_000 }),
    'class/drm/card0/device/unique_id': 'abc0000000000001',
    'class/drm/card1/device/unique_id': 'abd0000000000002',
  })
  const answer = await openAmdGpuSource({ root: fixture.root, ...NO_LIBRARY, devices: [want] })
  expect(answer).toMatchObject({
    reason: 'no-device',
    detail: expect.stringContaining('0 = 0000:03:00.0, 1 = 0000:83:00.0'),
  })
})

test('temperature, clocks, limits and memory are told where the files are', async () => {
  using fixture = createFixture({
    ...amdGpu(0, '03', {
      power1_average: 200_000_000,
      power1_cap: 303_000_000,
      power1_cap_default: 315_000_000,
      temp1_input: 61_000,
      freq1_input: 2_400_000_000,
    }),
    'class/drm/card0/device/mem_info_vram_total': 25_753_026_560,
    'class/drm/card0/device/product_name': 'Radeon PRO W7900',
  })
  await using source = await open(fixture)
  expect(source.devices[0]).toMatchObject({
    name: 'Radeon PRO W7900',
    driver: 'amdgpu',
    memoryBytes: 25_753_026_560,
    powerLimitW: 303,
    powerLimitDefaultW: 315,
  })
  expect((await source.sample()).states?.[0]).toMatchObject({
    powerW: 200,
    temperatureC: 61,
    clockHz: 2.4e9,
    memoryClockHz: { status: 'unavailable' },
    powerLimitW: 303,
  })
})

import { isUnavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { openRaplSource } from '../../src/rapl/source.js'
import { createClock, createFixture, failing } from '../linux/fixture.js'
import { idsOf, open } from './open.js'
import { energyPath, INTEL_RANGE_UJ, TWO_SOCKETS, ULTRA_265H, zone } from './trees.js'

test('row 12: 100 W for 10 s are 1000 J', async () => {
  using fixture = createFixture(zone('intel-rapl:0', 'package-0', 0))
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  await source.sample()
  fixture.write(energyPath('intel-rapl:0'), 1_000_000_000)
  clock.advance(10)
  expect((await source.sample()).domains['rapl:package-0']).toEqual({
    type: 'energy',
    energyJ: 1000,
  })
})

test('row 13: one of three domains wraps, and no domain goes back', async () => {
  using fixture = createFixture({
    ...zone('intel-rapl:0', 'package-0', INTEL_RANGE_UJ - 1_000_000),
    ...zone('intel-rapl:0:0', 'dram', 4_000_000),
    ...zone('intel-rapl:1', 'psys', 9_000_000),
  })
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  await source.sample()
  fixture.write(energyPath('intel-rapl:0'), 2_000_000)
  fixture.write(energyPath('intel-rapl:0:0'), 4_500_000)
  fixture.write(energyPath('intel-rapl:1'), 13_000_000)
  clock.advance(0.05)
  expect((await source.sample()).domains).toEqual({
    'rapl:package-0': { type: 'energy', energyJ: (INTEL_RANGE_UJ + 2_000_000) / 1e6 },
    'rapl:package-0:dram': { type: 'energy', energyJ: 4.5 },
    'rapl:psys': { type: 'energy', energyJ: 13 },
  })
})

test('row 15: a range that cannot be read makes a wrap unavailable, not negative', async () => {
  using fixture = createFixture(zone('intel-rapl:0', 'package-0', INTEL_RANGE_UJ - 1_000_000))
  const clock = createClock()
  const files = failing(/max_energy_range_uj$/)
  await using source = await open(fixture, { now: clock.now, files })
  expect((await source.sample()).domains['rapl:package-0']).toMatchObject({ type: 'energy' })
  fixture.write(energyPath('intel-rapl:0'), 2_000_000)
  clock.advance(0.05)
  expect((await source.sample()).domains['rapl:package-0']).toMatchObject({
    status: 'unavailable',
    reason: 'counter-reset',
    fix: `Run: sudo chmod a+r ${fixture.root}/class/powercap/intel-rapl:0/max_energy_range_uj`,
  })
})

test('row 16: counters that only root may read say the command and the udev rule', async () => {
  using fixture = createFixture(TWO_SOCKETS)
  const answer = await openRaplSource({ ...fixture, files: failing(/energy_uj$/) })
  expect(answer).toMatchObject({ status: 'unavailable', reason: 'permission-denied' })
  const path = (id: string): string => `${fixture.root}/class/powercap/${id}/energy_uj`
  const paths = ['intel-rapl:0', 'intel-rapl:0:0', 'intel-rapl:1', 'intel-rapl:1:0'].map(path)
  expect(isUnavailable(answer) && answer.fix).toContain(`sudo chmod a+r ${paths.join(' ')} `)
  expect(isUnavailable(answer) && answer.fix).toContain('/etc/udev/rules.d/70-rapl.rules')
})

test('row 16: one counter that is denied leaves the others readable', async () => {
  using fixture = createFixture(TWO_SOCKETS)
  await using source = await open(fixture, { files: failing(/intel-rapl:1\/energy_uj$/) })
  const { domains } = await source.sample()
  expect(domains['rapl:package-0']).toEqual({ type: 'energy', energyJ: 10 })
  expect(domains['rapl:package-1']).toMatchObject({ reason: 'permission-denied' })
})

test('row 21: zones behind links and nested in a mounted folder are found', async () => {
  using fixture = createFixture()
  const devices = 'devices/virtual/powercap/intel-rapl'
  fixture.writeAll({
    [`${devices}/intel-rapl:0/name`]: 'package-0',
    [`${devices}/intel-rapl:0/energy_uj`]: 1_000_000,
    [`${devices}/intel-rapl:0/max_energy_range_uj`]: INTEL_RANGE_UJ,
    [`${devices}/intel-rapl:0/intel-rapl:0:0/name`]: 'dram',
    [`${devices}/intel-rapl:0/intel-rapl:0:0/energy_uj`]: 2_000_000,
    [`${devices}/intel-rapl:0/intel-rapl:0:0/max_energy_range_uj`]: INTEL_RANGE_UJ,
  })
  fixture.link('class/powercap/intel-rapl', `../../${devices}`)
  await using source = await open(fixture)
  expect(idsOf(source.domains)).toEqual(['rapl:package-0', 'rapl:package-0:dram'])
})

test('row 22: a link that leads nowhere, as in a container, is named with the way out', async () => {
  using fixture = createFixture()
  fixture.link('class/powercap/intel-rapl:0', '../../devices/virtual/powercap/gone')
  expect(await openRaplSource({ ...fixture })).toMatchObject({
    reason: 'no-device',
    detail: expect.stringContaining('intel-rapl:0 is a link that leads nowhere'),
    fix: expect.stringContaining('-v /sys/class/powercap/intel-rapl:/host-sys'),
  })
})

test('row 24: a counter that restarts after a suspend is a reset', async () => {
  using fixture = createFixture(zone('intel-rapl:0', 'package-0', 90_000_000_000))
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  await source.sample()
  fixture.write(energyPath('intel-rapl:0'), 1000)
  clock.advance(0.05)
  expect((await source.sample()).domains['rapl:package-0']).toMatchObject({
    reason: 'counter-reset',
  })
})

test('row 37: WSL has no counter, and says so', async () => {
  using fixture = createFixture({
    'proc/sys/kernel/osrelease': '5.15.167.4-microsoft-standard-WSL2',
  })
  expect(await openRaplSource({ ...fixture })).toMatchObject({
    reason: 'not-supported',
    detail: expect.stringContaining('Windows Subsystem for Linux'),
  })
})

test('a machine without powercap has no device', async () => {
  using fixture = createFixture()
  expect(await openRaplSource({ ...fixture })).toMatchObject({
    reason: 'no-device',
    fix: expect.stringContaining('modprobe intel_rapl_msr'),
  })
})

test('a virtual machine whose counter stands at 0 is stalled', async () => {
  using fixture = createFixture(zone('intel-rapl:0', 'package-0', 0))
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  await source.sample()
  clock.advance(3)
  expect((await source.sample()).domains['rapl:package-0']).toMatchObject({ reason: 'stalled' })
})

test('a counter that is gone while measuring is an unavailable sample, not an exception', async () => {
  using fixture = createFixture(zone('intel-rapl:0', 'package-0', 5))
  await using source = await open(fixture)
  fixture.write(energyPath('intel-rapl:0'), 'broken')
  expect((await source.sample()).domains['rapl:package-0']).toMatchObject({ reason: 'implausible' })
})

test('the processor is described with its limits, and its state is read once a second', async () => {
  using fixture = createFixture(ULTRA_265H)
  const clock = createClock()
  await using source = await open(fixture, { now: clock.now })
  expect(source.devices[0]).toMatchObject({
    id: 'cpu',
    kind: 'cpu',
    name: 'Intel(R) Core(TM) Ultra 7 265H',
    powerLimitW: 45,
    powerLimitDefaultW: 28,
    memoryBytes: { status: 'unavailable' },
  })
  const { states } = await source.sample()
  expect(states?.[0]).toMatchObject({ deviceId: 'cpu', temperatureC: 51, powerLimitW: 45 })
  clock.advance(0.05)
  expect(await source.sample()).not.toHaveProperty('states')
})

test('every domain says how it is to be read', async () => {
  using fixture = createFixture(ULTRA_265H)
  await using source = await open(fixture)
  expect(Object.keys(source.timelines)).toEqual(idsOf(source.domains))
  expect(source.timelines['rapl:package-0']).toMatchObject({ method: 'counter', type: 'steady' })
})

test('a source that is closed twice is closed once, and has no data then', async () => {
  using fixture = createFixture(ULTRA_265H)
  const source = await open(fixture)
  await source[Symbol.asyncDispose]()
  await source[Symbol.asyncDispose]()
  expect((await source.sample()).domains['rapl:package-0']).toMatchObject({
    detail: 'the source is closed',
  })
})

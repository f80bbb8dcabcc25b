import { expect, test } from 'vitest'
import { nodeFiles } from '../../src/linux/sysfs.js'
import { createFixture, failing } from '../linux/fixture.js'
import { counted, idsOf, open } from './open.js'
import { AMD_RANGE_UJ, TWO_DIES, TWO_SOCKETS, ULTRA_265H, withRange, zone } from './trees.js'

test('row 17: of the 265H the total of the processor is one domain, and psys stands apart', async () => {
  using fixture = createFixture(ULTRA_265H)
  await using source = await open(fixture)
  expect(counted(source)).toEqual(['rapl:package-0'])
  expect(source.domains.find((domain) => domain.id === 'rapl:psys')).toMatchObject({
    kind: 'system',
    deviceId: 'system',
  })
  expect(source.domains.find((domain) => domain.id === 'rapl:psys')).not.toHaveProperty('partOf')
})

test('row 17: the MMIO twin of a package is not a second package', async () => {
  using fixture = createFixture(ULTRA_265H)
  await using source = await open(fixture)
  expect(idsOf(source.domains)).toEqual([
    'rapl:package-0',
    'rapl:package-0:core',
    'rapl:package-0:uncore',
    'rapl:psys',
  ])
  expect((await source.sample()).domains['rapl:package-0']).toEqual({
    type: 'energy',
    energyJ: 3.85,
  })
})

test('the MMIO twin is used where it alone can be read', async () => {
  using fixture = createFixture(ULTRA_265H)
  await using source = await open(fixture, { files: failing(/intel-rapl:0\/energy_uj$/) })
  expect((await source.sample()).domains['rapl:package-0']).toEqual({
    type: 'energy',
    energyJ: 3.78,
  })
})

test('row 19: a zone and the zone that contains it are not added', async () => {
  using fixture = createFixture({
    ...zone('intel-rapl:0', 'package-0', 100),
    ...zone('intel-rapl:0:0', 'core', 100),
  })
  await using source = await open(fixture)
  expect(source.domains.map((domain) => domain.partOf)).toEqual([undefined, 'rapl:package-0'])
})

test('row 20: memory appears once a socket, of its own kind, and is part of no package', async () => {
  using fixture = createFixture({
    ...TWO_SOCKETS,
    ...zone('intel-rapl-mmio:0', 'package-0', 10_000_000),
    ...zone('intel-rapl-mmio:0:0', 'dram', 1_000_000),
  })
  await using source = await open(fixture)
  const memory = source.domains.filter((domain) => domain.kind === 'dram')
  expect(idsOf(memory)).toEqual(['rapl:package-0:dram', 'rapl:package-1:dram'])
  expect(memory.map((domain) => domain.partOf)).toEqual([undefined, undefined])
  expect(memory.map((domain) => domain.deviceId)).toEqual(['cpu-0', 'cpu-1'])
})

test('both sockets of a server are counted', async () => {
  using fixture = createFixture(TWO_SOCKETS)
  await using source = await open(fixture)
  expect(counted(source)).toEqual(['rapl:package-0', 'rapl:package-1'])
  expect(source.devices.map((device) => device.id)).toEqual(['cpu-0', 'cpu-1'])
})

test('two dies of an AMD processor that show one counter are 68 W, not 68 + 68', async () => {
  using fixture = createFixture(TWO_DIES)
  await using source = await open(fixture)
  expect(counted(source)).toEqual(['rapl:package-0-die-0'])
  expect(idsOf(source.domains)).toEqual(['rapl:package-0-die-0', 'rapl:package-0-die-0:core'])
  expect(source.domains[0]?.note).toContain('also shown as package-0-die-1')
})

test('two dies that show one counter are found while it counts', async () => {
  using fixture = createFixture(TWO_DIES)
  let readUj = 68_000_000
  const files = {
    ...nodeFiles,
    open: () => ({
      read() {
        readUj += 40_000
        return String(readUj)
      },
      close() {},
    }),
  }
  await using source = await open(fixture, { files })
  expect(counted(source)).toEqual(['rapl:package-0-die-0'])
})

test('two dies with counters of their own are both counted', async () => {
  using fixture = createFixture({
    ...zone('intel-rapl:0', 'package-0-die-0', 68_000_000),
    ...zone('intel-rapl:1', 'package-0-die-1', 54_000_000),
  })
  await using source = await open(fixture)
  expect(counted(source)).toEqual(['rapl:package-0-die-0', 'rapl:package-0-die-1'])
})

test('two sockets are never mirrors of each other, whatever they count', async () => {
  using fixture = createFixture({
    ...zone('intel-rapl:0', 'package-0', 68_000_000),
    ...zone('intel-rapl:1', 'package-1', 68_000_000),
  })
  await using source = await open(fixture)
  expect(counted(source)).toEqual(['rapl:package-0', 'rapl:package-1'])
})

test('an AMD processor of one die shows itself as intel-rapl:0', async () => {
  using fixture = createFixture(
    withRange(zone('intel-rapl:0', 'package-0', 5_000_000), AMD_RANGE_UJ),
  )
  await using source = await open(fixture)
  expect(counted(source)).toEqual(['rapl:package-0'])
  expect(source.maxPollIntervalS).toBeCloseTo(16.38, 2)
})

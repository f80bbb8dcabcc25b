import { isUnavailable } from '@energy-bench/spec'
import { beforeEach, describe, expect, test } from 'vitest'
import { openPolledApple } from '../../src/apple/polled-apple.js'
import { changed, DECOYS, M1, M2_ULTRA, M5_MAX } from './fakes/chips.js'
import { createFakeMac, energy, GROUP, opened, pollAt, times } from './fakes/fake-mac.js'

const mac = createFakeMac()

beforeEach(() => {
  mac.cfFailStrings(0)
  mac.systemBrand('Apple M3 Max')
  mac.smcService(1)
  mac.smcEndpoint(1)
  mac.smcOpen(0)
  mac.smcKey(1)
  mac.smcType('flt ')
  mac.smcCodes(0, 0)
  mac.smcPower(300)
  mac.clock.aheadS = 0
  mac.setTime(100)
  mac.play(M1)
})

describe('which machines', () => {
  test('Linux is not supported', async () => {
    expect(await mac.open({ platform: 'linux' })).toMatchObject({ reason: 'not-supported' })
  })

  test('an Intel Mac is not supported, and nothing is started in its place [33]', async () => {
    const source = await mac.open({ arch: 'x64' })
    expect(source).toMatchObject({ status: 'unavailable', reason: 'not-supported' })
  })

  test('without the system libraries the reason is that they are missing', async () => {
    const libraries = { ...mac.libraries, system: '/nowhere/libSystem.so' }
    expect(await mac.open({ libraries })).toMatchObject({ reason: 'library-missing' })
  })

  test('a library that lacks a function is told from a failure', async () => {
    const libraries = { ...mac.libraries, ioReport: mac.libraries.system }
    await using source = await opened(mac, { libraries })
    const { domains } = await pollAt(mac, source, [100])
    expect(domains['apple:cpu']).toMatchObject({ reason: 'library-missing' })
    expect(domains['apple:system']).toMatchObject({ type: 'power' })
  })

  test('the chip and the machine are told by name and memory', async () => {
    await using source = await opened(mac)
    const memoryBytes = 68719476736
    expect(source.devices).toMatchObject([
      { id: 'apple-soc', kind: 'cpu', name: 'Apple M3 Max', memoryBytes },
      { id: 'apple-machine', kind: 'system', name: 'Mac15,9', memoryBytes },
    ])
    expect(source.domains[0]?.label).toBe('CPU (12 Performance + 4 Efficiency cores)')
  })

  test('a chip without a name is still read', async () => {
    mac.systemBrand('')
    await using source = await opened(mac)
    expect(source.devices[0]?.name).toBe('Apple Silicon')
  })

  test('five domains, none part of another, every one on a device that is listed', async () => {
    await using source = await opened(mac)
    expect(source.domains.map(({ id, kind, method }) => [id, kind, method])).toEqual([
      ['apple:cpu', 'cpu', 'counter'],
      ['apple:gpu', 'gpu', 'counter'],
      ['apple:ane', 'ane', 'counter'],
      ['apple:dram', 'dram', 'counter'],
      ['apple:system', 'system', 'integrated-power'],
    ])
    expect(source.domains.some((domain) => domain.partOf !== undefined)).toBe(false)
    const deviceIds = source.devices.map((device) => device.id)
    for (const { deviceId } of source.domains) expect(deviceIds).toContain(deviceId)
  })
})

describe('the rails', () => {
  test('an M1 counts CPU Energy, GPU Energy and ANE and has no DRAM channel', async () => {
    await using source = await opened(mac)
    const { domains, rails } = await pollAt(mac, source, [100])
    expect(energy(domains['apple:cpu'])).toEqual({ type: 'energy', energyJ: 1000, atS: 100 })
    expect(energy(domains['apple:gpu']).energyJ).toBe(500)
    expect(energy(domains['apple:ane']).energyJ).toBe(100)
    expect(domains['apple:dram']).toMatchObject({ reason: 'not-supported' })
    expect(rails['apple:dram']).toEqual({ status: 'absent' })
  })

  test('an Ultra without CPU Energy sums its dies [25, 26]', async () => {
    mac.play(M2_ULTRA)
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, times(100, 110, 0.1))
    const cpu = energy(domains['apple:cpu'])
    expect(cpu.energyJ / (cpu.atS ?? 0)).toBeCloseTo(50, 2)
    const dram = energy(domains['apple:dram'])
    expect(dram.energyJ / (dram.atS ?? 0)).toBeCloseTo(15, 2)
    const ane = energy(domains['apple:ane'])
    expect(ane.energyJ / (ane.atS ?? 0)).toBeCloseTo(3, 2)
  })

  test('dies that publish apart are summed at one moment, never one new with one old', async () => {
    mac.play(M2_ULTRA)
    await using source = await opened(mac)
    // Die 0 publishes at 102.9, die 1 at 102.92: the poll falls between.
    const { domains } = await pollAt(mac, source, [100, 101, 102, 102.91])
    const cpu = energy(domains['apple:cpu'])
    expect(cpu.atS).toBeCloseTo(100.82, 6)
    expect(cpu.energyJ).toBeCloseTo(50 * 100.82, 1)
  })

  test('an Ultra counts its GPU once, in nanojoules [29]', async () => {
    mac.play(M2_ULTRA)
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(energy(domains['apple:gpu']).energyJ).toBe(6000)
  })

  test('nJ, uJ, mJ and J mix in one chip and padding of the unit is ignored [29]', async () => {
    const mixed = changed(changed(M1, 'CPU Energy', { unit: 'uJ' }), 'ANE', { unit: '  mJ \t' })
    mac.play([
      ...mixed,
      { name: 'DRAM0', unit: '\u00b5J', watts: 2 },
      { name: 'DRAM1', unit: 'J', watts: 3 },
    ])
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(energy(domains['apple:cpu']).energyJ).toBe(1000)
    expect(energy(domains['apple:gpu']).energyJ).toBe(500)
    expect(energy(domains['apple:ane']).energyJ).toBe(100)
    expect(energy(domains['apple:dram']).energyJ).toBe(500)
  })

  test('nanojoules beyond 2^53 keep their last joule', async () => {
    mac.play(changed(M1, 'GPU Energy', { startUnits: 2 ** 62 }))
    await using source = await opened(mac)
    const first = energy((await pollAt(mac, source, [100])).domains['apple:gpu'])
    const second = energy((await pollAt(mac, source, [101])).domains['apple:gpu'])
    expect(second.energyJ - first.energyJ).toBeCloseTo(5, 5)
  })

  test('334 channels with look-alikes change nothing', async () => {
    mac.play([...DECOYS, ...M5_MAX.slice(0, 4)])
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [105])
    expect(energy(domains['apple:cpu']).energyJ).toBeCloseTo(40 * 105, 6)
    expect(energy(domains['apple:dram']).energyJ).toBeCloseTo(6 * 105, 6)
    expect(energy(domains['apple:ane']).energyJ).toBeCloseTo(0.5 * 105, 6)
  })

  test('GPU0 counts only where there is no GPU Energy', async () => {
    mac.play(M1.filter((channel) => channel.name !== 'GPU Energy'))
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(energy(domains['apple:gpu']).energyJ).toBe(500)
  })

  test('a GPU Energy that vanishes for one sample is not replaced by its twin', async () => {
    await using source = await opened(mac)
    await pollAt(mac, source, [100])
    mac.channelHide(8, 1)
    expect((await pollAt(mac, source, [101])).domains['apple:gpu']).toMatchObject({
      reason: 'no-data',
    })
    mac.channelHide(8, 0)
    expect(energy((await pollAt(mac, source, [102])).domains['apple:gpu']).energyJ).toBe(510)
  })

  test('one channel listed twice counts once, two of one name count both', async () => {
    const ane = { name: 'ANE', watts: 1, id: 42 }
    mac.play([ane, ane, { name: 'DRAM', watts: 2, id: 1 }, { name: 'DRAM', watts: 3, id: 2 }])
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(energy(domains['apple:ane']).energyJ).toBe(100)
    expect(energy(domains['apple:dram']).energyJ).toBe(500)
  })

  test.each(['cJ', '', 'mW', null])(
    'a unit %j makes the rail unavailable, not a guess',
    async (unit) => {
      mac.play(changed(M1, 'CPU Energy', { unit }))
      await using source = await opened(mac)
      const { domains } = await pollAt(mac, source, [100])
      expect(domains['apple:cpu']).toMatchObject({ reason: 'not-supported' })
      expect(energy(domains['apple:gpu']).energyJ).toBe(500)
    },
  )

  test('a value that the library cannot read is not a number', async () => {
    mac.play(changed(M1, 'CPU Energy', { lacks: { value: true } }))
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(domains['apple:cpu']).toMatchObject({ reason: 'implausible' })
  })
})

describe('publications', () => {
  test('energy that comes in batches is dated by its publication', async () => {
    mac.play(M5_MAX)
    await using source = await opened(mac)
    const { domains, rails } = await pollAt(mac, source, times(100, 110, 0.1))
    const cpu = energy(domains['apple:cpu'])
    expect(cpu.atS).toBeCloseTo(109.2, 6)
    expect(cpu.energyJ).toBeCloseTo(40 * 109.2, 6)
    expect(rails['apple:cpu']).toMatchObject({ status: 'batched' })
    expect(rails['apple:cpu']).toHaveProperty('periodS', expect.closeTo(2.1, 6))
    expect(rails['apple:gpu']).toEqual({ status: 'live' })
  })

  test('the date is on the clock of the meter, also after a sleep, and stays put between publications', async () => {
    mac.play(M5_MAX)
    await using source = await opened(mac)
    mac.clock.aheadS = 3600
    const first = energy((await pollAt(mac, source, [106])).domains['apple:cpu'])
    const second = energy((await pollAt(mac, source, [106.7])).domains['apple:cpu'])
    expect(first.atS).toBeCloseTo(3705, 6)
    expect(second).toEqual(first)
  })

  test('a GPU that is idle reads a true 0, newly stamped at every poll', async () => {
    mac.play(M5_MAX)
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, times(100, 115, 0.5))
    expect(energy(domains['apple:gpu'])).toEqual({
      type: 'energy',
      energyJ: 0,
      atS: expect.closeTo(115, 6),
    })
  })

  test('a CPU channel frozen by macOS 27 is stalled and never 0 J [27]', async () => {
    mac.play(changed(M5_MAX, 'CPU Energy', { watts: 0, frozenFromS: 101 }))
    await using source = await opened(mac)
    const { domains, rails } = await pollAt(mac, source, times(100, 112, 0.5))
    expect(domains['apple:cpu']).toMatchObject({
      reason: 'stalled',
      detail: expect.stringMatching(
        /CPU energy channel has not moved for 1\d s, while others have/,
      ),
    })
    expect(rails['apple:cpu']).toMatchObject({ status: 'stalled' })
    expect(energy(domains['apple:dram']).energyJ).toBeGreaterThan(600)
  })

  test('a channel that froze before the meter was opened is known at the first poll [27]', async () => {
    mac.play(changed(M5_MAX, 'CPU Energy', { frozenFromS: 50 }))
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(domains['apple:cpu']).toMatchObject({ reason: 'stalled' })
  })

  test('one frozen die stalls the CPU, since half a sum is no sum', async () => {
    mac.play(changed(M2_ULTRA, 'DIE_1_CPU Energy', { frozenFromS: 101 }))
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, times(100, 115, 0.5))
    expect(domains['apple:cpu']).toMatchObject({ reason: 'stalled' })
  })

  test('a rail that moves again is reported again', async () => {
    mac.play(changed(M5_MAX, 'CPU Energy', { frozenFromS: 101 }))
    await using source = await opened(mac)
    await pollAt(mac, source, times(100, 115, 0.5))
    mac.channelFreeze(0, Number.POSITIVE_INFINITY)
    const { domains } = await pollAt(mac, source, times(115.5, 120, 0.5))
    expect(energy(domains['apple:cpu']).energyJ).toBeCloseTo(40 * 119.7, 6)
  })

  test('when nothing at all moves, the message does not blame one channel', async () => {
    const still = M5_MAX.map((channel) => ({ ...channel, frozenFromS: 101 }))
    mac.play(still)
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, times(100, 115, 0.5))
    expect(domains['apple:cpu']).toMatchObject({
      detail: expect.stringContaining('nor has any other'),
    })
  })

  test.each([{ raw: true }, { stamp: true }] as const)(
    'without stamps (%j) energy has no date and a still CPU is still a fault',
    async (lacks) => {
      mac.play(M5_MAX.map((channel) => ({ ...channel, lacks })))
      await using source = await opened(mac)
      const before = await pollAt(mac, source, times(100, 106, 0.5))
      expect(energy(before.domains['apple:cpu'])).toEqual({
        type: 'energy',
        energyJ: expect.closeTo(4200, 6),
      })
      mac.channelFreeze(0, 106)
      const { domains } = await pollAt(mac, source, times(106.5, 118, 0.5))
      expect(domains['apple:cpu']).toMatchObject({ reason: 'stalled' })
      expect(energy(domains['apple:gpu']).energyJ).toBe(0)
    },
  )
})

describe('stamps on another clock', () => {
  test.each([-1000, 1000])(
    'stamps that are %d s off are not believed, and the energy still is',
    async (offsetS) => {
      mac.play(M5_MAX)
      mac.reportStampOffset(offsetS)
      await using source = await opened(mac)
      const { domains, rails } = await pollAt(mac, source, times(2000, 2020, 0.5))
      expect(energy(domains['apple:cpu'])).toEqual({
        type: 'energy',
        energyJ: expect.closeTo(40 * 2018.1, 6),
      })
      expect(rails['apple:cpu']).toMatchObject({ status: 'batched' })
    },
  )
})

describe('faults of the libraries', () => {
  test('a machine without the group has no rails and keeps the system power [30]', async () => {
    mac.play(M1, GROUP.missing)
    await using source = await opened(mac)
    const { domains, rails } = await pollAt(mac, source, [100])
    expect(domains['apple:cpu']).toMatchObject({ reason: 'not-supported' })
    expect(domains['apple:system']).toMatchObject({ type: 'power' })
    expect(rails['apple:cpu']).toEqual({ status: 'absent' })
  })

  test('a refused subscription does not kill the system power [34]', async () => {
    mac.play(M1, GROUP.refuses)
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(domains['apple:gpu']).toMatchObject({ reason: 'not-supported' })
    expect(domains['apple:system']).toMatchObject({ type: 'power' })
  })

  test('only the energy group is asked for, so that no other group can spoil it [34]', async () => {
    await using source = await opened(mac)
    await pollAt(mac, source, [100])
    expect(mac.reportAsked()).toBe('Energy Model;')
  })

  test('without both libraries the source says why of both', async () => {
    mac.play(M1, GROUP.missing)
    mac.smcService(0)
    const source = await mac.open()
    expect(isUnavailable(source) && source.detail).toMatch(/Energy Model.*AppleSMC/)
  })

  test.each([GROUP.noSample, GROUP.noList])(
    'an empty sample (mode %i) fails and the next one works [32]',
    async (mode) => {
      await using source = await opened(mac)
      mac.reportMode(mode)
      expect((await pollAt(mac, source, [100])).domains['apple:cpu']).toMatchObject({
        reason: 'failed',
      })
      mac.reportMode(GROUP.works)
      expect(energy((await pollAt(mac, source, [101])).domains['apple:cpu']).energyJ).toBe(1010)
    },
  )

  test.each([GROUP.holes, GROUP.noOut])(
    'a NULL in the list or in place of the dictionary (mode %i) is survived [32]',
    async (mode) => {
      mac.play([{ name: null, watts: 9 }, { name: 'DRAM', unit: null, watts: 1 }, ...M1], mode)
      await using source = await opened(mac)
      const { domains } = await pollAt(mac, source, [100])
      expect(energy(domains['apple:cpu']).energyJ).toBe(1000)
      expect(domains['apple:dram']).toMatchObject({ reason: 'not-supported' })
      expect(mac.cfMisuses()).toBe(0)
    },
  )

  test('CoreFoundation that makes no string is a failure, not a crash [32]', async () => {
    mac.cfFailStrings(1)
    await using source = await opened(mac)
    expect((await pollAt(mac, source, [100])).domains['apple:cpu']).toMatchObject({
      reason: 'failed',
    })
  })

  test.each(Object.entries(GROUP))('1000 samples leak nothing (%s)', async (_, mode) => {
    mac.play([{ name: null, watts: 1 }, ...M2_ULTRA], mode)
    const [liveBefore, heldBefore] = [mac.cfLive(), mac.smcHeld()]
    const source = await opened(mac)
    const liveOpen = mac.cfLive()
    await pollAt(mac, source, times(100, 199.9, 0.1))
    expect(mac.cfLive()).toBe(liveOpen)
    await source[Symbol.asyncDispose]()
    await source[Symbol.asyncDispose]()
    expect([mac.cfLive(), mac.smcHeld()]).toEqual([liveBefore, heldBefore])
    expect([mac.cfMisuses(), mac.smcMisuses()]).toEqual([0, 0])
  })
})

describe('the whole machine', () => {
  test('PSTR is a power sample of now, its key info asked for once', async () => {
    const infos = mac.smcInfos()
    await using source = await opened(mac)
    mac.smcPower(12.5)
    const { domains } = await pollAt(mac, source, [100, 101])
    expect(domains['apple:system']).toEqual({
      type: 'power',
      samples: [{ timeS: 101, powerW: 12.5 }],
    })
    expect(mac.smcInfos() - infos).toBe(1)
  })

  test('an integer PSTR is read big-endian', async () => {
    mac.smcType('ui16')
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(domains['apple:system']).toMatchObject({ samples: [{ powerW: 300 }] })
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 2000.5, 3.7e6])(
    'PSTR of %d W is implausible',
    async (powerW) => {
      mac.smcPower(powerW)
      await using source = await opened(mac)
      const { domains } = await pollAt(mac, source, [100])
      expect(domains['apple:system']).toMatchObject({ reason: 'implausible' })
    },
  )

  test('0 W and 2000 W are inside the limits', async () => {
    await using source = await opened(mac)
    for (const powerW of [0, 2000]) {
      mac.smcPower(powerW)
      expect((await pollAt(mac, source, [100])).domains['apple:system']).toMatchObject({
        samples: [{ powerW }],
      })
    }
  })

  test('a missing key, answer 132, is not supported', async () => {
    mac.smcKey(0)
    await using source = await opened(mac)
    const { domains } = await pollAt(mac, source, [100])
    expect(domains['apple:system']).toMatchObject({
      reason: 'not-supported',
      detail: 'the SMC has no key PSTR',
    })
    expect(energy(domains['apple:cpu']).energyJ).toBe(1000)
  })

  test('a failed call, a failed answer and an unknown type are told apart', async () => {
    await using source = await opened(mac)
    const system = async () => (await pollAt(mac, source, [100])).domains['apple:system']
    mac.smcCodes(-1, 0)
    expect(await system()).toMatchObject({ detail: 'the call for PSTR answered -1' })
    mac.smcCodes(0, 133)
    expect(await system()).toMatchObject({ detail: 'the SMC answered 133 for PSTR' })
    mac.smcCodes(0, 0)
    mac.smcType('hex_')
    expect(await system()).toMatchObject({ reason: 'not-supported' })
  })

  test('an SMC that cannot be opened leaves the rails alone and holds nothing', async () => {
    const held = mac.smcHeld()
    for (const close of [
      () => mac.smcOpen(0xe00002c1 | 0),
      () => mac.smcEndpoint(0),
      () => mac.smcService(0),
    ]) {
      close()
      const source = await opened(mac)
      const { domains } = await pollAt(mac, source, [100])
      expect(domains['apple:system']).toMatchObject({ status: 'unavailable' })
      expect(energy(domains['apple:cpu']).energyJ).toBe(1000)
      await source[Symbol.asyncDispose]()
      expect(mac.smcHeld()).toBe(held)
    }
  })

  test('parts that use more than the machine are flagged, and no figure is clamped [31]', async () => {
    mac.play(M5_MAX)
    mac.smcPower(39)
    await using source = await opened(mac)
    const { domains, remarks } = await pollAt(mac, source, times(100, 112, 0.5))
    expect(remarks).toEqual([
      expect.stringMatching(/parts of the chip use 46\.5 W, the whole machine 39\.0 W/),
    ])
    expect(domains['apple:system']).toMatchObject({ samples: [{ powerW: 39 }] })
    expect(energy(domains['apple:cpu']).energyJ).toBeCloseTo(40 * 111.3, 6)
  })

  test('parts within a tenth above the machine are not flagged [31]', async () => {
    mac.play(M5_MAX)
    mac.smcPower(43)
    await using source = await opened(mac)
    expect((await pollAt(mac, source, times(100, 112, 0.5))).remarks).toBeUndefined()
  })
})

test('to be polled, a Mac has the rails of its chip, and no rail that would spoil each total', async () => {
  const { libraries, clock } = mac
  const where = { libraries, platform: 'darwin', arch: 'arm64', now: () => clock.timeS }
  const source = await openPolledApple(where)
  if (isUnavailable(source)) throw new Error(source.detail)
  await using _ = source
  // This M1 has no DRAM channel.
  expect(source.domains.map(({ id }) => id)).not.toContain('apple:dram')
  expect(source.timelines).toMatchObject({
    'apple:cpu': { method: 'counter', type: 'tick' },
    'apple:system': { method: 'integrated-power', type: 'power' },
  })
})

test('a first sample without any channel costs no rail of a Mac that is polled', async () => {
  const { libraries, clock } = mac
  mac.play([])
  const where = { libraries, platform: 'darwin', arch: 'arm64', now: () => clock.timeS }
  const source = await openPolledApple(where, async () => mac.play(M1))
  if (isUnavailable(source)) throw new Error(source.detail)
  await using _ = source
  expect(source.domains.map(({ id }) => id)).toEqual([
    'apple:cpu',
    'apple:gpu',
    'apple:ane',
    'apple:system',
  ])
})

test('an empty sample says that it was empty, not that the chip has no such channel', async () => {
  mac.play([])
  await using source = await opened(mac)
  const { domains } = await pollAt(mac, source, [100])
  expect(domains['apple:cpu']).toMatchObject({
    reason: 'no-data',
    detail: 'the sample of IOReport has no channel at all',
  })
})

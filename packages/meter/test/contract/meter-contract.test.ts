import { type EnergyReading, isUnavailable, type Meter, unavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { assertMeterContract, type ContractCheck, meterContract } from '../../src/contract/index.js'
import { createFakeClock, createFakeMeter } from '../../src/fake.js'

type Change = (meter: Meter) => Partial<Record<keyof Meter, unknown>>

/** The checks of a fake meter of which something was changed. */
function checksOf(change: Change = () => ({})): readonly ContractCheck[] {
  const clock = createFakeClock()
  return meterContract({
    create: () => {
      const meter = createFakeMeter({ clock })
      return Object.assign({}, meter, change(meter)) as Meter
    },
    pass: (durationS) => clock.advance(durationS),
  })
}

async function breachesOf(checks: readonly ContractCheck[]): Promise<readonly string[]> {
  const breaches: string[] = []
  for (const { name, run } of checks) await run().catch(() => breaches.push(name))
  return breaches
}

/** A meter whose readings are changed, unless the window has no length. */
function reads(change: (reading: EnergyReading) => EnergyReading): Change {
  return (meter) => ({
    energyBetween: async (startS: number, endS: number) => {
      const reading = await meter.energyBetween(startS, endS)
      return endS > startS ? change(reading) : reading
    },
  })
}

/** The same with other facts about every energy. */
function reports(facts: object): Change {
  return reads((reading) => ({
    ...reading,
    domains: Object.fromEntries(
      Object.entries(reading.domains).map(([id, energy]) => [id, { ...energy, ...facts }]),
    ),
  }))
}

function createStumbler(): Change {
  let running = 0
  return (meter) => ({
    energyBetween: async (startS: number, endS: number) => {
      running += 1
      const factor = running
      const reading = await meter.energyBetween(startS, endS)
      await Promise.resolve()
      running -= 1
      return scaled(reading, factor)
    },
  })
}

function scaled(reading: EnergyReading, factor: number): EnergyReading {
  const entries = Object.entries(reading.domains).map(([id, energy]) => [
    id,
    isUnavailable(energy) ? energy : { ...energy, energyJ: factor * energy.energyJ },
  ])
  return { ...reading, domains: Object.fromEntries(entries) }
}

const broken: readonly (readonly [string, Change])[] = [
  [
    'names the version of the specification, its domains once each, and why it chose them',
    () => ({ specVersion: 2 }),
  ],
  [
    'answers with each of its domains and no other',
    reads((reading) => ({
      ...reading,
      domains: { ...reading.domains, other: unavailable('no-data', 'not mine') },
    })),
  ],
  [
    'repeats the window that was asked for',
    reads((reading) => ({ ...reading, startS: reading.startS - 1, endS: reading.endS - 1 })),
  ],
  [
    'gives finite energies, with an uncertainty that is not negative',
    reports({ uncertaintyJ: -1 }),
  ],
  ['says how it read: method, detail, tick, changes and coverage', reports({ coverageRatio: 1.2 })],
  [
    'says why, where it has no energy',
    reads((reading) => ({
      ...reading,
      domains: { 'fake:counter': { status: 'unavailable', reason: 'no-data', detail: ' ' } },
    })),
  ],
  [
    'gives device states inside the window, oldest first',
    () => ({ statesBetween: (startS: number) => [{ timeS: startS - 1 }] }),
  ],
  ['gives parts that add up to the whole', reads((reading) => scaled(reading, reading.durationS))],
  [
    'calls a window without length invalid',
    (meter) => ({
      energyBetween: async (startS: number, endS: number) => {
        const reading = await meter.energyBetween(startS, endS)
        return endS > startS ? reading : { ...reading, domains: { 'fake:counter': { energyJ: 0 } } }
      },
    }),
  ],
  [
    'waits for a window that ends in the future',
    (meter) => ({
      energyBetween: async (startS: number, endS: number) => {
        const isEarly = endS > meter.now()
        const reading = await meter.energyBetween(startS, endS)
        return isEarly ? scaled(reading, 0.5) : reading
      },
    }),
  ],
  ['says the same to ten who ask at once, and to one who asks later', createStumbler()],
  [
    'keeps a clock that never goes back',
    (meter) => {
      let looks = 0
      return {
        now: () => {
          looks += 1
          return meter.now() - (looks > 2 ? looks : 0)
        },
      }
    },
  ],
  [
    'can be disposed twice',
    (meter) => {
      let isDisposed = false
      return {
        [Symbol.asyncDispose]: async () => {
          if (isDisposed) throw new Error('again')
          isDisposed = true
          await meter[Symbol.asyncDispose]()
        },
      }
    },
  ],
  ['rejects a question after it was disposed', () => ({ [Symbol.asyncDispose]: async () => {} })],
]

test('a good meter keeps every promise', async () => {
  expect(await breachesOf(checksOf())).toEqual([])
})

describe.each(broken)('a meter that does not keep: %s', (name, change) => {
  test('breaks this promise and no other', async () => {
    expect(await breachesOf(checksOf(change))).toEqual([name])
  })
})

test('every promise has a meter that breaks it', () => {
  expect(broken.map(([name]) => name)).toEqual(checksOf().map(({ name }) => name))
})

test('assert lists all breaches in one error', async () => {
  const clock = createFakeClock()
  const create = (): Meter =>
    Object.assign({}, createFakeMeter({ clock }), { specVersion: 2, selection: [] })
  const options = { create, pass: (durationS: number) => clock.advance(durationS) }
  await expect(assertMeterContract(options)).rejects.toMatchObject({
    code: 'contract-violated',
    message: expect.stringContaining('The meter breaks 1 of 14 promises: names the version'),
  })
})

test('a check that never ends is a breach', async () => {
  const checks = meterContract({ create: () => new Promise<Meter>(() => {}), timeoutS: 0.02 })
  await expect(checks[0]?.run()).rejects.toThrow('no result within 0.02 s')
})

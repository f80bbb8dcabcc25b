import {
  type DomainSample,
  type EnergySource,
  type SourceSample,
  unavailable,
} from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import {
  assertSourceContract,
  type ContractCheck,
  type SourceContractOptions,
  sourceContract,
} from '../../src/contract/index.js'
import { device, domain } from '../flags/assessment.js'

type Change = (source: EnergySource) => Partial<Record<keyof EnergySource, unknown>>

const missing = unavailable('not-supported', 'this source has none')

/** A source with a counter, power and an energy that it does not have; all polls are a second apart. */
function createSource(): EnergySource {
  let polls = 0
  let isOpen = true
  return {
    id: 'good',
    domains: [domain('counter'), domain('integrated-power'), { ...domain('model') }],
    devices: [device],
    async sample() {
      if (!isOpen) throw new Error('closed')
      polls += 1
      const power = { type: 'power', samples: [{ timeS: polls + 0.2, powerW: 40 }] } as const
      const energy = { type: 'energy', energyJ: 40 * polls, atS: polls + 0.1 } as const
      const domains = { counter: energy, 'integrated-power': power, model: missing }
      return { startS: polls, endS: polls + 0.3, domains }
    },
    async [Symbol.asyncDispose]() {
      isOpen = false
    },
  }
}

function optionsOf(change: Change = () => ({})): SourceContractOptions {
  return {
    create: () => {
      const source = createSource()
      return Object.assign({}, source, change(source)) as EnergySource
    },
  }
}

async function breachesOf(checks: readonly ContractCheck[]): Promise<readonly string[]> {
  const breaches: string[] = []
  for (const { name, run } of checks) await run().catch(() => breaches.push(name))
  return breaches
}

/** A source whose samples are changed; `poll` counts from 0. */
function samples(change: (sample: SourceSample, poll: number) => SourceSample): Change {
  return (source) => {
    let poll = -1
    return {
      sample: async () => {
        poll += 1
        return change(await source.sample(), poll)
      },
    }
  }
}

/** The same for one domain. */
function gives(id: string, change: (poll: number, sample: SourceSample) => DomainSample): Change {
  return samples((sample, poll) => ({
    ...sample,
    domains: { ...sample.domains, [id]: change(poll, sample) },
  }))
}

const broken: readonly (readonly [string, Change])[] = [
  ['has an id, and names its domains once each', () => ({ id: '' })],
  ['has a device for each domain', () => ({ devices: [] })],
  ['gives each of its domains over some polls, and never another', gives('other', () => missing)],
  [
    'never throws in place of a sample',
    samples((sample, poll) => {
      if (poll === 2) throw new Error('busy')
      return sample
    }),
  ],
  [
    'takes its samples in the order of time',
    samples((sample, poll) => (poll === 2 ? { ...sample, startS: 0 } : sample)),
  ],
  [
    'gives finite energies that never fall without a reason',
    gives('counter', (poll) => ({ type: 'energy', energyJ: 100 - poll })),
  ],
  [
    'dates what it publishes in order, and not after the poll',
    gives('counter', (poll, { endS }) => ({ type: 'energy', energyJ: poll, atS: endS + 1 })),
  ],
  [
    'gives power that is finite, not negative and in the order of time',
    gives('integrated-power', (_, { endS }) => ({
      type: 'power',
      samples: [{ timeS: endS, powerW: Number.NaN }],
    })),
  ],
  [
    'says why, where it has no value',
    gives('model', () => ({ status: 'unavailable', reason: 'no-data', detail: '' })),
  ],
  [
    'can be disposed twice',
    (source) => {
      let isDisposed = false
      return {
        [Symbol.asyncDispose]: async () => {
          if (isDisposed) throw new Error('again')
          isDisposed = true
          await source[Symbol.asyncDispose]()
        },
      }
    },
  ],
  ['gives no value after it was disposed', () => ({ [Symbol.asyncDispose]: async () => {} })],
]

test('a good source keeps every promise', async () => {
  expect(await breachesOf(sourceContract(optionsOf()))).toEqual([])
})

describe.each(broken)('a source that does not keep: %s', (name, change) => {
  test('breaks this promise and no other', async () => {
    expect(await breachesOf(sourceContract(optionsOf(change)))).toEqual([name])
  })
})

test('every promise has a source that breaks it', () => {
  expect(broken.map(([name]) => name)).toEqual(sourceContract(optionsOf()).map(({ name }) => name))
})

test('an energy that starts anew after a sample that says why is no breach', async () => {
  const change = gives('counter', (poll) =>
    poll === 2 ? unavailable('counter-reset', 'back') : { type: 'energy', energyJ: poll % 3 },
  )
  expect(await breachesOf(sourceContract(optionsOf(change)))).toEqual([])
})

test('assert lists all breaches in one error', async () => {
  await expect(
    assertSourceContract(optionsOf(() => ({ id: '', devices: [] }))),
  ).rejects.toMatchObject({
    code: 'contract-violated',
    message: expect.stringContaining('The source breaks 2 of 11 promises'),
  })
})

import {
  type DomainEnergy,
  type EnergyDomain,
  type EnergyMethod,
  type EnergyReading,
  unavailable,
} from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { primaryMethod, totalByMethod } from '../src/totals.js'

function domain(id: string, method: EnergyMethod, partOf?: string): EnergyDomain {
  return {
    id,
    kind: 'gpu',
    method,
    label: id,
    deviceId: id,
    ...(partOf === undefined ? {} : { partOf }),
  }
}

function measured(
  energyJ: number,
  uncertaintyJ: number,
  method: EnergyMethod = 'counter',
): DomainEnergy {
  return {
    status: 'measured',
    energyJ,
    uncertaintyJ,
    method,
    detail: '',
    tickS: 0.1,
    changes: 9,
    coverageRatio: 1,
  }
}

function reading(domains: EnergyReading['domains']): EnergyReading {
  return { startS: 0, endS: 1, durationS: 1, domains }
}

test('domains of one method are summed, parts of others are not', () => {
  const domains = [domain('a', 'counter'), domain('b', 'counter'), domain('c', 'counter', 'a')]
  const totals = totalByMethod(
    reading({ a: measured(10, 3), b: measured(20, 4), c: measured(5, 1) }),
    domains,
  )
  expect(totals).toEqual({ counter: expect.objectContaining({ energyJ: 30, uncertaintyJ: 5 }) })
})

test('methods are kept apart, and a domain without a value spoils its own total only', () => {
  const domains = [
    domain('a', 'counter'),
    domain('b', 'counter'),
    domain('p', 'integrated-power'),
  ].map((one) => ({ ...one, deviceId: 'gpu' }))
  const values = {
    a: measured(10, 1),
    b: unavailable('device-lost', 'gone'),
    p: measured(9, 1, 'integrated-power'),
  }
  const totals = totalByMethod(reading(values), domains)
  expect(totals.counter).toMatchObject({ reason: 'device-lost' })
  expect(primaryMethod(totals)).toBe('integrated-power')
})

test('with nothing measured, the reason of the best method is given', () => {
  const totals = { model: unavailable('no-data', 'x'), counter: unavailable('not-supported', 'y') }
  expect(primaryMethod(totals)).toMatchObject({ reason: 'not-supported' })
  expect(primaryMethod({})).toMatchObject({ reason: 'no-data' })
})

test('context is never summed, and the total says what it is made of', () => {
  const domains: readonly EnergyDomain[] = [
    { ...domain('gpu', 'counter'), scope: 'workload' },
    { ...domain('package', 'counter'), kind: 'cpu', scope: 'context' },
  ]
  const values = { gpu: measured(100, 1), package: measured(40, 1) }
  expect(totalByMethod(reading(values), domains).counter).toMatchObject({
    energyJ: 100,
    domainIds: ['gpu'],
  })
})

test('row 17: a whole platform is not added to its package, even when nobody said that it is context', () => {
  const domains: readonly EnergyDomain[] = [
    { ...domain('psys', 'counter'), kind: 'system' },
    { ...domain('package', 'counter'), kind: 'cpu' },
  ]
  const values = { psys: measured(25, 1), package: measured(21, 1) }
  expect(totalByMethod(reading(values), domains).counter).toMatchObject({ energyJ: 21 })
})

test('two wall plugs of one machine are summed', () => {
  const domains: readonly EnergyDomain[] = ['a', 'b'].map((id) => ({
    ...domain(id, 'wall'),
    kind: 'system',
  }))
  const values = { a: measured(10, 1, 'wall'), b: measured(20, 1, 'wall') }
  expect(totalByMethod(reading(values), domains).wall).toMatchObject({ energyJ: 30 })
})

test('a total that would leave a device out is none: a GPU that has only power is not lost in the counters', () => {
  const domains = [
    { ...domain('a:counter', 'counter'), deviceId: 'a' },
    { ...domain('a:power', 'integrated-power'), deviceId: 'a' },
    { ...domain('b:power', 'integrated-power'), deviceId: 'b' },
  ]
  const values = {
    'a:counter': measured(100, 1),
    'a:power': measured(101, 1, 'integrated-power'),
    'b:power': measured(50, 1, 'integrated-power'),
  }
  const totals = totalByMethod(reading(values), domains)
  expect(totals.counter).toMatchObject({
    reason: 'not-supported',
    detail: 'b has no reading by counter, and a total would leave it out',
  })
  expect(totals['integrated-power']).toMatchObject({ energyJ: 151 })
  expect(primaryMethod(totals)).toBe('integrated-power')
})

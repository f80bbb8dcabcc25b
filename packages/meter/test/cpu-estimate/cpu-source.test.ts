import { unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { parseProcessTimeS, processTimeS } from '../../src/cpu-estimate/process-time.js'
import { createCpuSource } from '../../src/cpu-estimate/source.js'

test('CPU times of all processes are added and take the nominal power', async () => {
  const source = createCpuSource({
    processIds: [1, 2],
    wattsPerCore: 20,
    now: () => 5,
    timeOf: async (id) => id,
  })
  expect(await source.sample()).toEqual({
    startS: 5,
    endS: 5,
    domains: { 'cpu-estimate': { type: 'energy', energyJ: 60 } },
  })
  expect(source.domains[0]?.note).toMatch(/^An estimate, not a measurement/)
})

test('a process that is gone is a value with a reason', async () => {
  const source = createCpuSource({
    processIds: [1],
    timeOf: async () => unavailable('no-data', 'gone'),
  })
  expect((await source.sample()).domains['cpu-estimate']).toMatchObject({ reason: 'no-data' })
})

test('the time is found behind a name with spaces and brackets', () => {
  const text =
    '42 (a (strange) name) S 1 42 42 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 100 1000 10'
  expect(parseProcessTimeS(text)).toBe(3)
  expect(parseProcessTimeS('nonsense')).toBeUndefined()
})

test('a process that does not exist cannot be read', async () => {
  expect(await processTimeS(2 ** 30)).toMatchObject({ status: 'unavailable' })
})

import { unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { parseCellReport } from '../src/index.js'
import { createBench } from './support/bench.js'

test('what loading took is kept apart from the energy of the answers', async () => {
  const plain = await createBench().run()
  const report = await createBench({ loading: { startS: 1000, endS: 1016 } }).run()
  // The fake meter idles at 100 W until work is given to it.
  expect(report.loading).toEqual({
    durationS: 16,
    energy: { counter: { energyJ: 1600, uncertaintyJ: expect.any(Number) } },
  })
  expect(report.energyGrossJ).toEqual(plain.energyGrossJ)
  expect(report.energyPerCorrectJ).toEqual(plain.energyPerCorrectJ)
  expect(report.cellKey).toBe(plain.cellKey)
  expect(parseCellReport(JSON.parse(JSON.stringify(report))).loading).toEqual(report.loading)
})

test('loading before the meter ran has a duration and the reason why there is no energy', async () => {
  const reason = unavailable('no-data', 'the meter did not run yet')
  const { loading } = await createBench({
    loading: { startS: 1, endS: 3 },
    wrapMeter: (meter) => ({
      ...meter,
      async energyBetween(startS, endS) {
        const reading = await meter.energyBetween(startS, endS)
        return startS < 100 ? { ...reading, domains: { 'fake:counter': reason } } : reading
      },
    }),
  }).run()
  expect(loading).toMatchObject({
    durationS: 2,
    energy: { counter: { status: 'unavailable', reason: 'no-data' } },
  })
})

test('a model that was there already has no loading', async () => {
  expect(await createBench().run()).not.toHaveProperty('loading')
})

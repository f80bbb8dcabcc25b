import { unavailable } from '@energy-bench/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCounter, shortestTurnS } from '../../src/linux/counter.js'

const RANGE_UJ = 262_143_328_850

test('100 W for 10 s are 1000 J, whatever the time between the reads', () => {
  const counter = createCounter({ rangeUj: RANGE_UJ })
  const first = counter.add(5_000_000, 0)
  for (const timeS of [0.01, 0.05, 3, 9.999]) counter.add(5_000_000 + timeS * 100e6, timeS)
  expect(first).toEqual({ type: 'energy', energyJ: 5 })
  expect(counter.add(1_005_000_000, 10)).toEqual({ type: 'energy', energyJ: 1005 })
})

test('a counter that wraps goes on', () => {
  const counter = createCounter({ rangeUj: RANGE_UJ })
  counter.add(RANGE_UJ - 3_000_000, 0)
  expect(counter.add(2_000_000, 0.05)).toEqual({
    type: 'energy',
    energyJ: (RANGE_UJ + 2_000_000) / 1e6,
  })
})

test('a counter that reaches its end exactly gains nothing by the turn to 0', () => {
  const counter = createCounter({ rangeUj: RANGE_UJ })
  const atEnd = counter.add(RANGE_UJ, 0)
  expect(counter.add(0, 0.05)).toEqual(atEnd)
})

test('a counter that goes back without a known range is a reset, not negative', () => {
  const counter = createCounter({ rangeUj: unavailable('permission-denied', 'no', 'chmod') })
  counter.add(9_000_000, 0)
  expect(counter.add(1_000_000, 0.05)).toMatchObject({ reason: 'counter-reset', fix: 'chmod' })
  expect(counter.add(2_000_000, 0.1)).toEqual({ type: 'energy', energyJ: 2 })
})

test('a driver that was loaded again is a reset and not a wrap', () => {
  const counter = createCounter({ rangeUj: RANGE_UJ })
  counter.add(100_000_000_000, 0)
  expect(counter.add(0, 0.05)).toMatchObject({ reason: 'counter-reset' })
})

test('a pause in which the counter may have wrapped twice is not measured', () => {
  const counter = createCounter({ rangeUj: 65_532_610_987 })
  counter.add(1_000_000, 0)
  expect(counter.add(2_000_000, 40)).toMatchObject({ reason: 'device-lost' })
})

test('a counter that never moves is stalled instead of 0 J', () => {
  const counter = createCounter()
  counter.add(0, 0)
  expect(counter.add(0, 2.5)).toMatchObject({ status: 'unavailable', reason: 'stalled' })
})

test('a counter that stops is not alive until it moves again', () => {
  const counter = createCounter({ maxStillS: 2 })
  counter.add(1, 0)
  counter.add(2, 1)
  expect(counter.add(2, 3.5)).toMatchObject({ reason: 'stalled' })
  expect(counter.add(3, 4)).toEqual({ type: 'energy', energyJ: 3e-6 })
})

test('a negative counter is not believed', () => {
  expect(createCounter().add(-1, 0)).toMatchObject({ reason: 'implausible' })
})

test('an AMD counter of 65.5 kJ turns in 33 s at the highest power', () => {
  expect(shortestTurnS({ rangeUj: 65_532_610_987 })).toBeCloseTo(32.77, 2)
  expect(shortestTurnS({ rangeUj: 0 })).toBe(Number.POSITIVE_INFINITY)
})

test('property: however often the counter wraps, the total is the sum of the gains', () => {
  const gains = fc.array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 1, maxLength: 200 })
  const range = fc.integer({ min: 250_000_000, max: RANGE_UJ })
  fc.assert(
    fc.property(gains, range, fc.nat(), (steps, rangeUj, seed) => {
      const counter = createCounter({ rangeUj })
      let trueUj = seed % rangeUj
      const startUj = trueUj
      counter.add(trueUj, 0)
      const last = steps.map((gain, index) => {
        trueUj += gain
        return counter.add(trueUj % rangeUj, (index + 1) * 0.05)
      })
      const sample = last.at(-1)
      const gainedUj = trueUj - startUj
      if (sample === undefined || 'status' in sample || sample.type !== 'energy') {
        // Only a counter that never moved may say nothing.
        return gainedUj === 0
      }
      return Math.abs(sample.energyJ * 1e6 - trueUj) < 1
    }),
  )
})

test('property: energy never goes back except after a sample that says why', () => {
  const reads = fc.array(fc.integer({ min: 0, max: RANGE_UJ }), { maxLength: 100 })
  fc.assert(
    fc.property(reads, (raw) => {
      const counter = createCounter({ rangeUj: RANGE_UJ })
      let lastJ = Number.NEGATIVE_INFINITY
      return raw.every((value, index) => {
        const sample = counter.add(value, index)
        const energyJ = 'energyJ' in sample ? sample.energyJ : Number.NEGATIVE_INFINITY
        const isFine = energyJ >= lastJ || 'status' in sample
        lastJ = energyJ
        return isFine
      })
    }),
  )
})

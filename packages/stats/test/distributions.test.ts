import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  meanInterval,
  normalCdf,
  normalQuantile,
  studentCdf,
  studentQuantile,
} from '../src/index.js'

test.each([
  [0.5, 0],
  [0.975, 1.959963984540054],
  [0.995, 2.5758293035489004],
  [0.001, -3.090232306167813],
])('the normal quantile of %f is %f', (share, value) => {
  expect(normalQuantile(share)).toBeCloseTo(value, 9)
})

test.each([
  [0.975, 1, 12.706204736],
  [0.975, 2, 4.30265273],
  [0.975, 3, 3.182446305],
  [0.975, 9, 2.262157163],
  [0.95, 30, 1.697260887],
  [0.025, 4, -2.776445105],
])('the Student quantile of %f with %i degrees is %f', (share, degrees, value) => {
  expect(studentQuantile(share, degrees)).toBeCloseTo(value, 7)
})

test('with many degrees the Student quantile is the normal one', () => {
  expect(studentQuantile(0.975, 100_000)).toBeCloseTo(normalQuantile(0.975), 4)
})

test('quantiles undo distribution functions', () => {
  const share = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true })
  fc.assert(
    fc.property(share, fc.integer({ min: 1, max: 60 }), (p, degrees) => {
      expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 9)
      expect(studentCdf(studentQuantile(p, degrees), degrees)).toBeCloseTo(p, 9)
    }),
  )
})

test('shares and degrees out of range are refused', () => {
  expect(() => normalQuantile(1)).toThrow('got 1')
  expect(() => studentQuantile(0.975, 0)).toThrow('got 0')
})

test('the interval of a mean is Student t wide', () => {
  const interval = meanInterval([9, 10, 11])
  expect(interval?.low).toBeCloseTo(10 - 4.30265273 / Math.sqrt(3), 7)
  expect(interval?.high).toBeCloseTo(10 + 4.30265273 / Math.sqrt(3), 7)
  expect(meanInterval([9])).toBeNull()
})

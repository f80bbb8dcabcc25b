import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coefficientOfVariation, mean, quantile, sampleStd, sum } from '../src/index.js'

test('the sum keeps what a plain sum loses', () => {
  expect(sum([1, 1e100, 1, -1e100])).toBe(2)
})

test('mean, sample standard deviation and coefficient of variation of a known list', () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9]
  expect(mean(values)).toBe(5)
  expect(sampleStd(values)).toBeCloseTo(Math.sqrt(32 / 7), 12)
  expect(coefficientOfVariation(values)).toBeCloseTo(Math.sqrt(32 / 7) / 5, 12)
})

test('one value has no spread, and a mean of 0 no coefficient of variation', () => {
  expect(sampleStd([3])).toBeNull()
  expect(coefficientOfVariation([3])).toBeNull()
  expect(coefficientOfVariation([-1, 1])).toBeNull()
})

test('quantiles interpolate between order statistics', () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
  expect(quantile([4, 1, 3, 2], 0)).toBe(1)
  expect(quantile([4, 1, 3, 2], 1)).toBe(4)
})

test('an empty list is refused by name', () => {
  expect(() => mean([])).toThrow(expect.objectContaining({ code: 'usage-invalid' }))
  expect(() => quantile([], 0.5)).toThrow('quantile: the list is empty.')
})

test('a quantile lies between the least and the greatest value', () => {
  const list = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 })
  fc.assert(
    fc.property(list, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const value = quantile(values, share)
      return value >= Math.min(...values) && value <= Math.max(...values)
    }),
  )
})

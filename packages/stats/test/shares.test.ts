import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wilson, zeroSuccessesUpper } from '../src/index.js'

test('Wilson interval of 81 of 263 is that of Newcombe 1998, table I', () => {
  const { low, high } = wilson(81, 263)
  expect(low).toBeCloseTo(0.2553, 4)
  expect(high).toBeCloseTo(0.3662, 4)
})

test('Wilson interval at the edges stays inside 0 to 1', () => {
  expect(wilson(0, 20)).toEqual({ low: 0, high: expect.closeTo(0.1611, 4) })
  expect(wilson(29, 29)).toEqual({ low: expect.closeTo(0.883, 3), high: expect.closeTo(1, 12) })
})

test('Wilson interval holds the share and mirrors with it', () => {
  const counts = fc
    .integer({ min: 1, max: 5000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))
  fc.assert(
    fc.property(counts, ([successes, n]) => {
      const { low, high } = wilson(successes, n)
      const mirrored = wilson(n - successes, n)
      expect(low).toBeLessThanOrEqual(successes / n + 1e-12)
      expect(high).toBeGreaterThanOrEqual(successes / n - 1e-12)
      expect(mirrored.low).toBeCloseTo(1 - high, 12)
    }),
  )
})

test('what is no share is refused', () => {
  expect(() => wilson(3, 2)).toThrow('3 successes of 2')
  expect(() => wilson(0, 0)).toThrow(expect.objectContaining({ code: 'usage-invalid' }))
})

test('none of 100 allows a share of 3.6 percent, by Clopper and Pearson', () => {
  expect(zeroSuccessesUpper(100)).toBeCloseTo(0.0362167, 6)
  expect(zeroSuccessesUpper(1)).toBeCloseTo(0.975, 12)
})

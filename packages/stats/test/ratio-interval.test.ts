import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RatioPair, ratioInterval, zeroSuccessesUpper } from '../src/index.js'
import { createRandom } from './support/random.js'

const pairs = (numerators: readonly number[], denominators: readonly number[]): RatioPair[] =>
  numerators.map((numerator, index) => ({ numerator, denominator: denominators[index] ?? 0 }))

test('the value is a ratio of sums and the interval is symmetric on the log scale', () => {
  const result = ratioInterval(pairs([10, 20, 30, 40, 12, 22, 33, 41], [1, 1, 1, 0, 1, 1, 1, 1]))
  if (result.status !== 'ok') throw new Error(result.status)
  expect(result.value).toBeCloseTo(208 / 7, 12)
  expect(result.low * result.high).toBeCloseTo(result.value ** 2, 6)
  expect(result.method).toBe('log-delta')
})

test('items all alike leave no width', () => {
  expect(ratioInterval(pairs([5, 5, 5], [1, 1, 1]))).toEqual({
    status: 'ok',
    value: 5,
    low: 5,
    high: 5,
    method: 'log-delta',
  })
})

test('no correct answer gives a lower bound from the Clopper-Pearson end', () => {
  expect(ratioInterval(pairs([10, 20, 30], [0, 0, 0]))).toEqual({
    status: 'no-correct',
    lowerBound: 60 / (3 * zeroSuccessesUpper(3)),
  })
})

test('one correct of twenty is too few, with a lower bound below the plain ratio', () => {
  const result = ratioInterval(
    pairs(
      Array.from({ length: 20 }, (_, i) => 10 + (i % 3)),
      [1],
    ),
  )
  if (result.status !== 'too-few-correct') throw new Error(result.status)
  expect(result.lowerBound).toBeGreaterThan(0)
  expect(result.lowerBound).toBeLessThan(220)
})

test('one single item is too few', () => {
  expect(ratioInterval(pairs([7], [1]))).toEqual({ status: 'too-few-correct', lowerBound: null })
})

test('a numerator that may be 0 or negative keeps its sign, by Fieller', () => {
  const result = ratioInterval(pairs([-3, 1, -2, 2, -1, 1, -2, 1], [1, 1, 1, 1, 1, 1, 1, 0]))
  if (result.status !== 'ok') throw new Error(result.status)
  expect(result.method).toBe('fieller')
  expect(result.value).toBeCloseTo(-3 / 7, 12)
  expect(result.low).toBeLessThan(result.value)
  expect(result.high).toBeGreaterThan(0)
})

test('an empty list is refused', () => {
  expect(() => ratioInterval([])).toThrow(expect.objectContaining({ code: 'usage-invalid' }))
})

const pair = fc.record({
  numerator: fc.double({ min: 0.1, max: 1e4, noNaN: true }),
  denominator: fc.constantFrom(0, 1),
})

test('the interval holds the value, and scales with the unit', () => {
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 60 }), (list) => {
      const result = ratioInterval(list)
      if (result.status !== 'ok') return
      expect(result.low).toBeLessThanOrEqual(result.value * (1 + 1e-12))
      expect(result.high).toBeGreaterThanOrEqual(result.value * (1 - 1e-12))
      const scaled = ratioInterval(list.map((p) => ({ ...p, numerator: p.numerator * 1000 })))
      if (scaled.status !== 'ok') throw new Error(scaled.status)
      expect(scaled.high / result.high).toBeCloseTo(1000, 6)
    }),
  )
})

/** Items with log-normal joules that rise with difficulty, as in the study that chose this interval. */
function drawItems(
  random: ReturnType<typeof createRandom>,
  n: number,
  accuracy: number,
): RatioPair[] {
  const logit = Math.log(accuracy / (1 - accuracy))
  return Array.from({ length: n }, () => {
    const difficulty = random.normal()
    const chance = 1 / (1 + Math.exp(-(logit * 1.18 - difficulty)))
    const denominator = random.uniform() < chance ? 1 : 0
    return { numerator: Math.exp(3 + 0.6 * difficulty + 0.5 * random.normal()), denominator }
  })
}

const sumsRatio = (items: readonly RatioPair[]) =>
  items.reduce((total, item) => total + item.numerator, 0) /
  items.reduce((total, item) => total + item.denominator, 0)

test.each([
  [100, 0.5],
  [50, 0.2],
  [300, 0.9],
])('covers the true ratio in 95 +- 1.5 of 100 runs at n = %i, accuracy %f', (n, accuracy) => {
  const random = createRandom(12345)
  const truth = sumsRatio(drawItems(random, 400_000, accuracy))
  const results = Array.from({ length: 1500 }, () => ratioInterval(drawItems(random, n, accuracy)))
  const bounded = results.flatMap((result) => (result.status === 'ok' ? [result] : []))
  const hits = bounded.filter((result) => result.low <= truth && truth <= result.high)
  expect(bounded.length).toBeGreaterThan(1480)
  expect(Math.abs(hits.length / bounded.length - 0.95)).toBeLessThanOrEqual(0.015)
})

import { isUnavailable } from '@energy-bench/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJoules } from '../../src/apple/units.js'

const LABELS = { J: 0, mJ: 3, uJ: 6, '\u00b5J': 6, '\u03bcJ': 6, nJ: 9 } as const
const label = fc.constantFrom(...(Object.keys(LABELS) as (keyof typeof LABELS)[]))
const padding = fc.constantFrom('', ' ', '   ', '\t', '\n')
const count = fc.bigInt(0n, 2n ** 63n - 1n)

test('one unit is the power of ten that its label names', () => {
  for (const [unit, digits] of Object.entries(LABELS)) {
    expect(toJoules(1n, unit)).toBe(Number(`1e-${digits}`))
  }
})

test('padding changes nothing', () => {
  fc.assert(
    fc.property(count, label, fc.tuple(padding, padding), (value, unit, [before, after]) => {
      expect(toJoules(value, before + unit + after)).toBe(toJoules(value, unit))
    }),
  )
})

test('the result is the decimal shift of the count, to the last digit that a number holds', () => {
  fc.assert(
    fc.property(count, label, (value, unit) => {
      const exact = Number(`${value}e-${LABELS[unit]}`)
      const joules = toJoules(value, unit)
      expect(Math.abs(Number(joules) - exact)).toBeLessThanOrEqual(exact * 2 ** -51)
    }),
  )
})

test('a larger count is never less energy', () => {
  fc.assert(
    fc.property(count, count, label, (a, b, unit) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      expect(Number(toJoules(low, unit))).toBeLessThanOrEqual(Number(toJoules(high, unit)))
    }),
  )
})

test('less than a millijoule is kept', () => {
  expect(toJoules(999_999n, 'nJ')).toBe(0.000999999)
})

test('any other label is unavailable, also one that only differs by case', () => {
  const known = new Set(Object.keys(LABELS))
  const other = fc.string().filter((text) => !known.has(text.trim()))
  fc.assert(fc.property(other, (unit) => isUnavailable(toJoules(1n, unit))))
  for (const unit of ['MJ', 'mj', 'J/s', 'toString', undefined]) {
    expect(toJoules(1n, unit)).toMatchObject({ reason: 'not-supported' })
  }
})

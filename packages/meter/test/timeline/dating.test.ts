import { expect, test } from 'vitest'
import { dateChange } from '../../src/timeline/dating.js'

const before = { startS: 1, endS: 1.003, energyJ: 1 }

const history = { last: { timeS: 1, halfWidthS: 0.002 }, tickS: 0.1, usualReadS: 0.003 }

test('a change lies in the middle of the two polls around it', () => {
  const date = dateChange(before, { startS: 1.004, endS: 1.007, energyJ: 2 })
  expect(date.timeS).toBeCloseTo(1.0035, 9)
  expect(date.halfWidthS).toBeCloseTo(0.0035, 9)
})

test('a long read that ends when the tick was due is dated by its end', () => {
  const date = dateChange(before, { startS: 1.09, endS: 1.101, energyJ: 2 }, history)
  expect(date).toEqual({ timeS: 1.101, halfWidthS: 0.0015 })
})

test('a long read that ends at another time was only held up', () => {
  const late = { startS: 1.096, endS: 1.13, energyJ: 2 }
  const date = dateChange({ startS: 1.092, endS: 1.095, energyJ: 1 }, late, history)
  expect(date.timeS).toBeCloseTo(1.1, 9)
  expect(date.halfWidthS).toBeCloseTo(0.005, 9)
})

/** The date of a change between the last one and the end of a read of 3 ms. */
function dated(endS: number): { readonly timeS: number; readonly halfWidthS: number } {
  const last = { startS: 0.998, endS: 1.001, energyJ: 1 }
  return dateChange(last, { startS: endS - 0.003, endS, energyJ: 2 }, history)
}

test.each([
  [1.14, 1.1, 0.005],
  [1.26, 1.2, 0.008],
])(
  'a value read at %d s stems from the tick at %d s, give or take %d s',
  (endS, timeS, halfWidthS) => {
    expect(dated(endS).timeS).toBeCloseTo(timeS, 9)
    expect(dated(endS).halfWidthS).toBeCloseTo(halfWidthS, 9)
  },
)

test('too near to a tick, the date stays one tick wide', () => {
  expect(dated(1.203).halfWidthS).toBeCloseTo(0.053, 3)
})

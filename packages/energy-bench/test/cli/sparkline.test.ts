import { expect, test } from 'vitest'
import { sparkline } from '../../src/cli/sparkline.js'

test('values become bars from nothing to the largest', () => {
  expect(sparkline([0, 25, 50, 100])).toBe('▁▃▅█')
})

test('a missing value is a gap, and a value below 0 the lowest bar', () => {
  expect(sparkline([10, null, -5])).toBe('█ ▁')
})

test('all zero is the lowest bar', () => {
  expect(sparkline([0, 0])).toBe('▁▁')
})

import { expect, test } from 'vitest'
import { joules, joulesBetween, minutes, percent, significant } from '../../src/cli/format.js'

test.each([
  [0, '0'],
  [1, '1.00'],
  [9.996, '10.0'],
  [123.4, '123'],
  [1234, '1230'],
  [0.01234, '0.0123'],
  [-5.678, '-5.68'],
])('%d has three significant digits: %s', (value, text) => {
  expect(significant(value)).toBe(text)
})

test.each([
  [0.0123, '12.3 mJ'],
  [38.21, '38.2 J'],
  [123_456, '123 kJ'],
  [12_345_678, '12.3 MJ'],
  [-0.005, '-5.00 mJ'],
])('%d J reads %s', (energyJ, text) => {
  expect(joules(energyJ)).toBe(text)
})

test('an interval is in the unit of its value', () => {
  expect(joulesBetween(0.08, 0.06, 0.12)).toBe('80.0 mJ (60.0-120)')
})

test('shares read as percent and seconds as minutes', () => {
  expect(percent(0.8174)).toBe('81.7 %')
  expect(minutes(151.4)).toBe('2:31')
})

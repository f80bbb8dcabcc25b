import { expect, test } from 'vitest'
import { isUnavailable, isUnknown, unavailable, unknown } from '../src/index.js'

test('what could not be read is a value with its reason, and never a number', () => {
  const value = unavailable('permission-denied', 'EACCES', 'Run as root.')
  expect(value).toEqual({
    status: 'unavailable',
    reason: 'permission-denied',
    detail: 'EACCES',
    fix: 'Run as root.',
  })
  expect(unavailable('no-data', 'nothing')).not.toHaveProperty('fix')
})

test.each([0, null, undefined, 'unavailable', {}, { status: 'measured' }])(
  '%j is neither unavailable nor unknown',
  (value) => {
    expect(isUnavailable(value)).toBe(false)
    expect(isUnknown(value)).toBe(false)
  },
)

test('unavailable and unknown are told apart', () => {
  expect(isUnknown(unknown('not told'))).toBe(true)
  expect(isUnavailable(unknown('not told'))).toBe(false)
})

import { isUnavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { nodeFiles, openNumber, readNumber, readText } from '../../src/linux/sysfs.js'
import { createFixture, failing } from './fixture.js'

test('a number is read without the white space around it', () => {
  using fixture = createFixture({ value: '  42 ' })
  expect(readNumber(nodeFiles, `${fixture.root}/value`)).toBe(42)
})

test.each(['', 'none', '1.5', '0x10', '12 34'])('%j is not taken for a number', (text) => {
  using fixture = createFixture({ value: text })
  expect(readNumber(nodeFiles, `${fixture.root}/value`)).toMatchObject({ reason: 'implausible' })
})

test('a value beyond 32 bits is kept whole', () => {
  using fixture = createFixture({ value: '710123456789012' })
  expect(readNumber(nodeFiles, `${fixture.root}/value`)).toBe(710_123_456_789_012)
})

test('a file that stays open gives its new value', () => {
  using fixture = createFixture({ value: 123456 })
  const file = openNumber(nodeFiles, `${fixture.root}/value`)
  if (isUnavailable(file)) throw new Error(file.detail)
  expect(file.read()).toBe(123456)
  fixture.write('value', 7)
  expect(file.read()).toBe(7)
  file.close()
})

test.each([
  ['EACCES', 'permission-denied'],
  ['EPERM', 'permission-denied'],
  ['ENOENT', 'not-supported'],
  ['ENODEV', 'device-lost'],
  ['ENODATA', 'no-data'],
  ['EIO', 'failed'],
])('%s means %s', (code, reason) => {
  expect(readText(failing(/./, code), '/sys/some/file')).toMatchObject({ reason })
})

test('a denied file says the command that opens it', () => {
  expect(readText(failing(/./), '/sys/some/file')).toMatchObject({
    fix: 'Run: sudo chmod a+r /sys/some/file',
  })
})

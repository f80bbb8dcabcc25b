import { expect, test } from 'vitest'
import { normalBusId } from '../../src/nvml/bus-id.js'
import { samplesIn } from '../../src/nvml/power-samples.js'
import { readNvmlValue } from '../../src/nvml/values.js'

function union(write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(8, 0xff)
  write(bytes)
  return bytes
}

test.each([
  [0, union((bytes) => bytes.writeDoubleLE(1.5)), 1.5],
  [1, union((bytes) => bytes.writeUInt32LE(4_000_000_000)), 4_000_000_000],
  [3, union((bytes) => bytes.writeBigUInt64LE(5_000_000_000n)), 5_000_000_000],
  [4, union((bytes) => bytes.writeBigInt64LE(-7n)), -7],
  [5, union((bytes) => bytes.writeInt32LE(-7)), -7],
  [6, union((bytes) => bytes.writeUInt16LE(65_000)), 65_000],
  [9, union(() => {}), undefined],
])('a value of type %d is read as such', (type, bytes, expected) => {
  expect(readNvmlValue(bytes, { offset: 0, type })).toBe(expected)
})

test('an unsigned long has 4 bytes on Windows and 8 elsewhere', () => {
  const bytes = union((target) => target.writeBigUInt64LE(0x1_0000_0002n))
  expect(readNvmlValue(bytes, { offset: 0, type: 2 }, 'win32')).toBe(2)
  expect(readNvmlValue(bytes, { offset: 0, type: 2 }, 'linux')).toBe(0x1_0000_0002)
})

test('samples come out in order, without the places that are not filled', () => {
  const list = Buffer.alloc(48)
  list.writeBigUInt64LE(2_000_000n, 0)
  list.writeUInt32LE(300_000, 8)
  list.writeBigUInt64LE(1_000_000n, 32)
  list.writeUInt32LE(200_000, 40)
  expect(samplesIn(list, 1)).toEqual([
    { wallUs: 1_000_000, powerW: 200 },
    { wallUs: 2_000_000, powerW: 300 },
  ])
})

test('samples of a type that is not known are not believed', () => {
  expect(samplesIn(Buffer.alloc(16), 42)).toMatchObject({ reason: 'implausible' })
})

test.each([
  ['0000:65:00.0', '0000:65:00.0'],
  ['00000000:65:00.0', '0000:65:00.0'],
  ['00000000:AF:1F.1', '0000:af:1f.1'],
  ['65:00.0', '0000:65:00.0'],
  ['00010000:65:00.0', '10000:65:00.0'],
  ['GPU-65', undefined],
  ['65', undefined],
])('the bus address %s is %s', (text, expected) => {
  expect(normalBusId(text)).toBe(expected)
})

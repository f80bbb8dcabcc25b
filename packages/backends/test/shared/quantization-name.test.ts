import { expect, test } from 'vitest'
import { quantizationOfFileType, quantizationOfLabel } from '../../src/shared/quantization-name.js'

test.each([
  [1, 'F16'],
  [2, 'Q4_0'],
  [7, 'Q8_0'],
  [10, 'Q2_K'],
  [15, 'Q4_K_M'],
  [4711, undefined],
])('file type %d is %s', (fileType, name) => {
  expect(quantizationOfFileType(fileType)).toBe(name)
})

test.each([
  ['Q4_K - Medium', 'Q4_K_M'],
  ['Q3_K - Small', 'Q3_K_S'],
  ['Q2_K - Medium', 'Q2_K'],
  ['all F32', 'F32'],
  ['Q8_0', 'Q8_0'],
])('the label "%s" is %s', (label, name) => {
  expect(quantizationOfLabel(label)).toBe(name)
})

import { EnergyBenchError } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { describeError } from '../../src/cli/describe-error.js'
import { exitCodeOf, InterruptedError } from '../../src/cli/exit-codes.js'

test.each([
  ['usage-invalid', 2],
  ['model-invalid', 3],
  ['save-failed', 3],
  ['measurement-invalid', 4],
  ['backend-unavailable', 5],
  ['backend-failed', 5],
  ['refused', 6],
] as const)('%s ends with exit code %d', (code, exitCode) => {
  expect(exitCodeOf(new EnergyBenchError(code, 'x'))).toBe(exitCode)
})

test('an interrupt ends with 130, and anything unexpected with 3', () => {
  expect(exitCodeOf(new InterruptedError())).toBe(130)
  expect(exitCodeOf(new TypeError('x'))).toBe(3)
})

test('an expected error is one line and its remedy, without a stack', () => {
  const error = new EnergyBenchError('save-failed', 'The disk is full.', { fix: 'Free some room.' })
  expect(describeError(error)).toBe('error: The disk is full.\n  Free some room.\n')
})

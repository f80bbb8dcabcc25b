import { expect, test } from 'vitest'
import { EnergyBenchError, isEnergyBenchError } from '../src/index.js'

test('an error keeps its code, its remedy and its cause', () => {
  const cause = new Error('ENOSPC')
  const error = new EnergyBenchError('save-failed', 'Not saved.', { fix: 'Free room.', cause })
  expect(error).toMatchObject({ code: 'save-failed', fix: 'Free room.', cause, isRetryable: false })
})

test.each([
  ['backend-unavailable', true],
  ['backend-busy', true],
  ['backend-timeout', true],
  ['stream-cut', true],
  ['backend-failed', false],
  ['prompt-too-long', false],
  ['model-missing', false],
] as const)('%s says by itself whether another attempt may help: %s', (code, isRetryable) => {
  expect(new EnergyBenchError(code, 'x').isRetryable).toBe(isRetryable)
})

test('whoever throws may know better than the code', () => {
  const error = new EnergyBenchError('backend-unavailable', 'Not a server.', { isRetryable: false })
  expect([error.isRetryable, error.retryAfterS]).toEqual([false, undefined])
  expect(new EnergyBenchError('backend-busy', 'Later.', { retryAfterS: 2 }).retryAfterS).toBe(2)
})

test('an error of another copy of the package is recognised by its brand', async () => {
  // A second copy of the module, as two versions in one node_modules would give.
  const path = '../src/errors.js?copy'
  const copy: typeof import('../src/errors.js') = await import(/* @vite-ignore */ path)
  const error = new copy.EnergyBenchError('refused', 'No.')
  expect(error).not.toBeInstanceOf(EnergyBenchError)
  expect(isEnergyBenchError(error)).toBe(true)
})

test('other errors are not taken for ours', () => {
  expect(isEnergyBenchError(new TypeError('x'))).toBe(false)
  expect(isEnergyBenchError({ code: 'refused' })).toBe(false)
})

import { expect, test } from 'vitest'
import { cellKey } from '../src/index.js'
import { createFakeModel } from './support/fake-model.js'
import { createFakeTask } from './support/fake-task.js'

const { info } = createFakeModel({ answer: () => ({ text: '' }), advance: () => {} })
const task = createFakeTask()
const key = cellKey(info, task, { temperature: 0 })

test('the key of a cell does not depend on the process or on the order of settings', () => {
  const a = { ...info, settings: { flash: true, batch: 4 } }
  const b = { ...info, settings: { batch: 4, flash: true }, processId: 7 }
  expect(cellKey(a, task, { temperature: 0 })).toBe(cellKey(b, task, { temperature: 0 }))
  expect(key).toMatch(/^sha256:[0-9a-f]{64}$/)
})

test.each([
  ['weights', cellKey({ ...info, modelDigest: 'sha256:01' }, task, { temperature: 0 })],
  ['engine settings', cellKey({ ...info, settings: {} }, task, { temperature: 0 })],
  ['items', cellKey(info, { ...task, digest: 'sha256:12' }, { temperature: 0 })],
  ['answer length', cellKey(info, { ...task, maxOutputTokens: 8 }, { temperature: 0 })],
  ['temperature', cellKey(info, task, { temperature: 1 })],
  ['seed', cellKey(info, task, { temperature: 0, seed: 1 })],
  ['thinking', cellKey(info, task, { temperature: 0, thinking: 'off' })],
])('other %s make another cell', (_, other) => {
  expect(other).not.toBe(key)
})

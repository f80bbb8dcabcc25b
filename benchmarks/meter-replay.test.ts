import { expect, test } from 'vitest'
import { run } from './meter-replay.js'
import { run as runUncertainty } from './meter-uncertainty.js'

const { figures: replayed } = await run()
const { figures: predicted } = await runUncertainty()
const figures: Readonly<Record<string, number>> = { ...replayed, ...predicted }

test.each([
  ['m_f16.gguf|c1 net CV %', 0.4],
  ['m_q8.gguf|c1 net CV %', 0.4],
  ['m_f16.gguf|c8 net CV %', 0.7],
  ['m_q8.gguf|c8 net CV %', 0.7],
  ['items mean CV %', 7],
  ['items of 0 J', 0],
])('on the recording of an H200, %s is at most %d', (name, limit) => {
  expect(figures[`timeline ${name}`]).toBeLessThanOrEqual(limit)
})

test('the plain difference of the counter does worse, and gives items of 0 J', () => {
  expect(figures['plain difference items of 0 J']).toBe(7)
  expect(figures['plain difference m_f16.gguf|c1 net CV %']).toBeGreaterThan(0.8)
})

test('single items scatter as much as their stated uncertainty says', () => {
  const ratio = figures['items observed/predicted'] ?? Number.NaN
  expect(ratio).toBeGreaterThan(1 / 1.5)
  expect(ratio).toBeLessThan(1.5)
})

test.each(['m_f16.gguf|c1', 'm_q8.gguf|c1', 'm_f16.gguf|c8', 'm_q8.gguf|c8', 'items'])(
  'with every second change left out, %s stays within its uncertainty and has less error than the work scatters',
  (kind) => {
    expect(figures[`thinned ${kind} within 2 u %`]).toBeGreaterThan(93)
    expect(figures[`thinned ${kind} observed J`]).toBeLessThan(figures[`${kind} observed J`] ?? 0)
  },
)

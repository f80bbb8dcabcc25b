// A task of your own: data plus two functions. Runs on the fake engine and asserts its own result.
import assert from 'node:assert/strict'
import { createFakeBackend } from '@energy-bench/backends/fake'
import { createFakeMeter } from '@energy-bench/meter/fake'
// #region task
import { defineTask, measure } from 'energy-bench'

const sentiment = defineTask({
  id: 'sentiment',
  examples: [
    { id: '1', text: 'a joyless slog', label: 'negative' },
    { id: '2', text: 'an absolute delight', label: 'positive' },
  ],
  render: ({ text }) => `Positive or negative? One word.\n\n${text}`,
  score: ({ label }, output) => output.toLowerCase().includes(label),
  maxOutputTokens: 4,
})
// #endregion task

await using backend = createFakeBackend({ answer: () => 'positive' })
await using model = await backend.load({ id: 'tiny' })
await using meter = createFakeMeter({ powerW: 100 })
const report = await measure(model, sentiment, { meter, idleS: 0.05, settleS: 0 })

console.log(report.accuracy)
assert.equal(report.accuracy.ratio, 0.5)
assert.equal(report.outcomes.correct, 3)

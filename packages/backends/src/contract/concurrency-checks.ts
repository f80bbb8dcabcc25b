import assert from 'node:assert/strict'
import {
  answerRequest,
  asking,
  type CheckBody,
  eventsOf,
  outputOf,
  withModel,
} from './check-context.js'

/** Checks of generations that run at once. Batches change the last digits of an engine, so no texts are compared. */
export const concurrencyChecks = {
  'runs several generations at once, where it supports concurrency': (context) =>
    withModel(context, async (model) => {
      if (!model.supports.concurrency) return
      const all = Array.from({ length: context.concurrency }, () =>
        eventsOf(model, context.request),
      )
      for (const result of await Promise.allSettled(all)) {
        if (result.status === 'rejected')
          assert.fail(`one of ${all.length} generations failed: ${String(result.reason)}`)
        const ends = result.value.filter((event) => event.type === 'end').length
        assert.ok(ends > 0, `one of ${all.length} generations has no end event`)
      }
    }),

  'keeps answers apart that are given at once': (context) =>
    withModel(context, async (model) => {
      if (!model.supports.concurrency) return
      const request = answerRequest(context, model)
      const words = Array.from({ length: context.concurrency }, (_, index) => rareWord(index))
      const answers = await Promise.allSettled(
        words.map((word) => eventsOf(model, asking(`Repeat: ${word}`, request))),
      )
      for (const [index, answer] of answers.entries()) {
        if (answer.status === 'rejected') continue
        const output = outputOf(answer.value)
        const foreign = words.find((word) => word !== words[index] && output.includes(word))
        assert.equal(foreign, undefined, `"${foreign}" of another prompt stands in ${output}`)
      }
    }),
} satisfies Record<string, CheckBody>

/** Words that no model says unless its prompt has them. */
const rareWords = ['quetzal', 'marzipan', 'obsidian', 'tamarind', 'harpsichord', 'zeppelin']

function rareWord(index: number): string {
  return rareWords[index % rareWords.length] ?? ''
}

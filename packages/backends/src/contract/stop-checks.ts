import assert from 'node:assert/strict'
import type { GenerateEvent, GenerateRequest, LoadedModel } from '@energy-bench/spec'
import {
  answerRequest,
  type CheckBody,
  type CheckContext,
  endOf,
  eventsOf,
  textOf,
  withModel,
} from './check-context.js'

/** Checks of stop words. Each takes its word out of the model's own answer. */
export const stopChecks = {
  'ends an answer before a stop word': (context) =>
    withModel(context, async (model) => {
      const { request, events } = await wholeAnswer(context, model)
      const text = textOf(events)
      const word = wordInside(text)
      const stopped = await eventsOf(model, { ...request, stop: [word] })
      const rest = textOf(stopped)
      assert.ok(
        !rest.includes(word),
        `the answer ${JSON.stringify(rest)} has the stop word ${word}`,
      )
      // Servers may look for the word in the thinking too, and without a seed the answer may be another one.
      if (!model.supports.seed || endOf(events).thinking.observed) return
      const before = text.slice(0, text.indexOf(word))
      assert.equal(rest.trimEnd(), before.trimEnd(), `the answer does not end before "${word}"`)
      const { finishReason } = endOf(stopped)
      assert.equal(finishReason, 'stop', `finishReason is "${finishReason}" after a stop word`)
    }),

  'ends an answer that is empty like any other': (context) =>
    withModel(context, async (model) => {
      const { request, events } = await wholeAnswer(context, model)
      const [first = ''] = textOf(events).trimStart()
      const stopped = await eventsOf(model, { ...request, stop: [first] })
      const pieces = stopped.filter((event) => event.type !== 'end')
      assert.equal(stopped.length - pieces.length, 1, 'an empty answer needs exactly one end event')
      assert.ok(
        pieces.every(({ text }) => text !== ''),
        'an empty answer has no pieces, but an empty one came',
      )
      const { outputTokens } = endOf(stopped)
      const isCount = outputTokens === null || Number.isInteger(outputTokens)
      assert.ok(isCount, `outputTokens of an empty answer is ${outputTokens}`)
    }),
} satisfies Record<string, CheckBody>

interface WholeAnswer {
  readonly request: GenerateRequest
  readonly events: readonly GenerateEvent[]
}

async function wholeAnswer(context: CheckContext, model: LoadedModel): Promise<WholeAnswer> {
  const request = answerRequest(context, model)
  const events = await eventsOf(model, request)
  const hasText = textOf(events).trim() !== ''
  assert.ok(hasText, `no answer within ${request.maxOutputTokens} tokens: raise answerTokens`)
  return { request, events }
}

/** The second word; of an answer that is one word, its second half. */
function wordInside(text: string): string {
  const [first = '', second] = text.trim().split(/\s+/)
  const letters = [...first]
  return second ?? letters.slice(Math.floor(letters.length / 2)).join('')
}

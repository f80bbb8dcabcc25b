import assert from 'node:assert/strict'
import type { FinishReason } from '@energy-bench/spec'
import { answerRequest, type CheckBody, endOf, eventsOf, withModel } from './check-context.js'

/** Checks of the limit of output tokens. */
export const limitChecks = {
  'holds the limit of output tokens': (context) =>
    withModel(context, async (model) => {
      const { outputTokens } = endOf(await eventsOf(model, context.request))
      const limit = context.request.maxOutputTokens
      assert.ok((outputTokens ?? 0) <= limit, `${outputTokens} tokens came, the limit was ${limit}`)
    }),

  'takes a limit of one token': (context) =>
    withModel(context, async (model) => {
      const end = endOf(await eventsOf(model, { ...context.request, maxOutputTokens: 1 }))
      assert.ok((end.outputTokens ?? 0) <= 1, `${end.outputTokens} tokens came, the limit was 1`)
    }),

  'says that the limit ended an answer, where it did': (context) =>
    withModel(context, async (model) => {
      const request = answerRequest(context, model)
      const whole = endOf(await eventsOf(model, request))
      checkReason(whole.finishReason, ['stop', 'length'])
      const limit = Math.floor((whole.outputTokens ?? 0) / 2)
      // Only an answer that comes again the same is known to be longer than the limit.
      if (!model.supports.seed || limit < 2) return
      const cut = endOf(await eventsOf(model, { ...request, maxOutputTokens: limit }))
      checkReason(cut.finishReason, ['length'])
    }),
} satisfies Record<string, CheckBody>

function checkReason(reason: FinishReason, expected: readonly FinishReason[]): void {
  assert.ok(
    expected.includes(reason),
    `finishReason is "${reason}", not "${expected.join('" or "')}"`,
  )
}

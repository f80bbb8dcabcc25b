import assert from 'node:assert/strict'
import type { LoadedModel } from '@energy-bench/spec'
import { type CheckBody, type CheckContext, endOf, eventsOf, withModel } from './check-context.js'

/** Checks that a generation can be stopped, and that the engine is free afterwards. */
export const cancellationChecks = {
  'rejects with the reason when the signal was aborted before': (context) =>
    withModel(context, async (model) => {
      const reason = new Error('aborted before the start')
      const request = { ...context.request, signal: AbortSignal.abort(reason) }
      const error = await rejectionOf(() => eventsOf(model, request))
      assert.equal(error, reason, `it gave ${String(error)}, not the reason of the signal`)
    }),

  'rejects with the reason when the signal is aborted on the way': (context) =>
    withModel(context, async (model) => {
      const reason = new Error('aborted on the way')
      const error = await rejectionOf(() => abortAfterFirst(model, context, reason))
      assert.equal(error, reason, `it gave ${String(error)}, not the reason of the signal`)
    }),

  'is free again after a consumer broke out of the loop': (context) =>
    withModel(context, async (model) => {
      for await (const _ of model.generate(context.request)) break
      endOf(await eventsOf(model, context.request))
    }),
} satisfies Record<string, CheckBody>

async function abortAfterFirst(
  model: LoadedModel,
  { request }: CheckContext,
  reason: Error,
): Promise<void> {
  const controller = new AbortController()
  for await (const _ of model.generate({ ...request, signal: controller.signal })) {
    controller.abort(reason)
  }
}

async function rejectionOf(action: () => Promise<unknown>): Promise<unknown> {
  try {
    await action()
    return undefined
  } catch (error) {
    return error
  }
}

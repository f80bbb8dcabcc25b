import assert from 'node:assert/strict'
import type { Backend, LoadedModel } from '@energy-bench/spec'
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

  'is free again after an abort': (context) =>
    withModel(context, async (model) => {
      await rejectionOf(() => abortAfterFirst(model, context, new Error('aborted')))
      endOf(await eventsOf(model, context.request))
    }),

  'is free again after a consumer broke out of the loop': (context) =>
    withModel(context, async (model) => {
      for await (const _ of model.generate(context.request)) break
      endOf(await eventsOf(model, context.request))
    }),

  'rejects a load with the reason of its signal': async (context) => {
    await using backend = await context.create()
    for (const when of ['before', 'during'] as const) {
      const reason = new Error(`aborted ${when} the load`)
      const error = await rejectionOf(() => abortedLoad(backend, context, { when, reason }))
      assert.equal(error, reason, `a load aborted ${when} it gave ${String(error)}, not the reason`)
    }
  },
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

interface Abort {
  readonly when: 'before' | 'during'
  readonly reason: Error
}

async function abortedLoad(
  backend: Backend,
  { model }: CheckContext,
  { when, reason }: Abort,
): Promise<void> {
  const controller = new AbortController()
  if (when === 'before') controller.abort(reason)
  const loading = backend.load(model, { signal: controller.signal })
  controller.abort(reason)
  await using _ = await loading
}

async function rejectionOf(action: () => Promise<unknown>): Promise<unknown> {
  try {
    await action()
    return undefined
  } catch (error) {
    return error
  }
}

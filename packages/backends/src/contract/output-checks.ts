import assert from 'node:assert/strict'
import type { GenerateEnd } from '@energy-bench/spec'
import { type CheckBody, endOf, eventsOf, outputOf, withModel } from './check-context.js'

/** Time that a measured duration may exceed the wall clock by, seconds. */
const clockToleranceS = 0.05

/** Checks of what a generation gives. */
export const outputChecks = {
  'ends every generation with exactly one end event': (context) =>
    withModel(context, async (model) => {
      const events = await eventsOf(model, context.request)
      const ends = events.filter((event) => event.type === 'end')
      assert.equal(ends.length, 1, `${ends.length} end events came, not 1`)
      assert.equal(events.at(-1)?.type, 'end', 'an event came after the end event')
    }),

  'gives its output in pieces that are not empty': (context) =>
    withModel(context, async (model) => {
      const events = await eventsOf(model, context.request)
      assert.ok(events.length > 1, 'no output came before the end event')
      for (const event of events)
        assert.ok(event.type === 'end' || event.text !== '', 'a piece is empty')
    }),

  'holds the limit of output tokens': (context) =>
    withModel(context, async (model) => {
      const { outputTokens } = endOf(await eventsOf(model, context.request))
      const limit = context.request.maxOutputTokens
      assert.ok((outputTokens ?? 0) <= limit, `${outputTokens} tokens came, the limit was ${limit}`)
    }),

  'counts tokens in whole numbers, or says null': (context) =>
    withModel(context, async (model) => {
      const end = endOf(await eventsOf(model, context.request))
      for (const name of countNames) checkCount(name, end[name])
      checkPart(end, 'cachedInputTokens', 'inputTokens')
      checkPart(end, 'thinkingTokens', 'outputTokens')
    }),

  'times itself in seconds, within the time that passed': (context) =>
    withModel(context, async (model) => {
      const startMs = performance.now()
      const { timings } = endOf(await eventsOf(model, context.request))
      const passedS = (performance.now() - startMs) / 1000
      const times = timeNames.map((name) => timings?.[name] ?? 0)
      const sumS = times.reduce((sum, timeS) => sum + timeS, 0)
      assert.ok(
        times.every((timeS) => timeS >= 0),
        `a time is negative: ${times.join(', ')}`,
      )
      assert.ok(sumS <= passedS + clockToleranceS, `it counted ${sumS} s while ${passedS} s passed`)
    }),

  'tells which thinking was asked for and whether any was seen': (context) =>
    withModel(context, async (model) => {
      for (const thinking of [undefined, 'off'] as const) {
        const request = thinking === undefined ? context.request : { ...context.request, thinking }
        const events = await eventsOf(model, request)
        const end = endOf(events)
        const wasSeen = events.some((event) => event.type === 'thinking-delta')
        const observed = wasSeen || (end.thinkingTokens ?? 0) > 0
        assert.deepEqual(end.thinking, { asked: thinking ?? null, observed })
      }
    }),

  'repeats itself with the same seed, where it supports seeds': (context) =>
    withModel(context, async (model) => {
      if (!model.supports.seed) return
      const first = outputOf(await eventsOf(model, context.request))
      const second = outputOf(await eventsOf(model, context.request))
      assert.equal(second, first, 'two generations with one seed differ')
    }),

  'runs two generations at once, where it supports concurrency': (context) =>
    withModel(context, async (model) => {
      if (!model.supports.concurrency) return
      const both = [eventsOf(model, context.request), eventsOf(model, context.request)]
      const results = await Promise.allSettled(both)
      const failed = results.find((result) => result.status === 'rejected')
      assert.ok(failed === undefined, `one of two generations failed: ${String(failed?.reason)}`)
    }),
} satisfies Record<string, CheckBody>

const timeNames = ['prefillS', 'decodeS', 'loadS', 'queueS'] as const

const countNames = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'thinkingTokens'] as const

function checkCount(name: string, count: number | null): void {
  const isCount = count === null || (Number.isInteger(count) && count >= 0)
  assert.ok(isCount, `${name} is ${String(count)}`)
}

function checkPart(
  end: GenerateEnd,
  part: 'cachedInputTokens' | 'thinkingTokens',
  whole: 'inputTokens' | 'outputTokens',
): void {
  const [partCount, wholeCount] = [end[part], end[whole]]
  if (partCount === null || wholeCount === null) return
  assert.ok(partCount <= wholeCount, `${part} is ${partCount}, more than ${whole} ${wholeCount}`)
}

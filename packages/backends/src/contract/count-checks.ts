import assert from 'node:assert/strict'
import type { GenerateEnd } from '@energy-bench/spec'
import {
  answerRequest,
  type CheckBody,
  endOf,
  eventsOf,
  outputOf,
  withModel,
} from './check-context.js'

/** Time that a measured duration may exceed the wall clock by, seconds. */
const clockToleranceS = 0.05

/** Checks of the counts and times at the end of a generation. */
export const countChecks = {
  'counts tokens in whole numbers, or says null': (context) =>
    withModel(context, async (model) => {
      const end = endOf(await eventsOf(model, context.request))
      for (const name of countNames) checkCount(name, end[name])
      checkPart(end, 'cachedInputTokens', 'inputTokens')
      checkPart(end, 'thinkingTokens', 'outputTokens')
    }),

  'counts more input tokens for a longer prompt': (context) =>
    withModel(context, async (model) => {
      const [first, ...rest] = context.request.messages
      assert.ok(first !== undefined, 'the contract needs at least one message')
      // At the front, so that a prompt cache finds nothing that both prompts begin with.
      const longer = [{ ...first, content: `${preamble} ${first.content}` }, ...rest]
      const short = endOf(await eventsOf(model, context.request)).inputTokens
      const long = endOf(
        await eventsOf(model, { ...context.request, messages: longer }),
      ).inputTokens
      if (short === null || long === null) return
      assert.ok(
        long > short,
        `inputTokens is ${long} for a longer prompt and ${short} for a short one`,
      )
    }),

  'counts output tokens where output came': (context) =>
    withModel(context, async (model) => {
      const events = await eventsOf(model, answerRequest(context, model))
      const { outputTokens } = endOf(events)
      const isCounted = outputTokens === null || outputTokens > 0 || outputOf(events) === ''
      assert.ok(isCounted, 'outputTokens is 0 although output came: say null where it is not known')
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
} satisfies Record<string, CheckBody>

const timeNames = ['prefillS', 'decodeS', 'loadS', 'queueS'] as const

const countNames = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'thinkingTokens'] as const

const preamble = 'Some numbers are even and some are odd. '.repeat(8).trim()

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

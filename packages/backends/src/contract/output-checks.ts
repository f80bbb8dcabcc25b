import assert from 'node:assert/strict'
import {
  answerRequest,
  asking,
  type CheckBody,
  endOf,
  eventsOf,
  outputOf,
  textOf,
  withModel,
} from './check-context.js'

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
      assert.equal(second, first, 'two generations with one seed differ: say supports.seed false')
    }),

  'keeps the tags of thinking out of its output': (context) =>
    withModel(context, async (model) => {
      const whole = { ...context.request, maxOutputTokens: context.answerTokens }
      const request = model.supports.thinking ? { ...whole, thinking: 'on' as const } : whole
      const events = await eventsOf(model, request)
      for (const kind of ['thinking-delta', 'text-delta'] as const) {
        const tag = /<\/?think>/.exec(textOf(events, kind))?.[0]
        assert.equal(tag, undefined, `${tag} stands in a ${kind}: split the output at the tags`)
      }
    }),

  'never cuts a character in two': (context) =>
    withModel(context, async (model) => {
      const request = asking(`Repeat: ${manyBytes}`, answerRequest(context, model))
      const events = await eventsOf(model, request)
      const wasCut = endOf(events).finishReason === 'length'
      const texts = events.flatMap((event) => (event.type === 'end' ? [] : [event.text]))
      for (const [index, text] of texts.entries()) {
        // The limit itself may stand between the bytes of a character.
        if (wasCut && index === texts.length - 1) continue
        assert.ok(
          isWhole(text),
          `piece ${JSON.stringify(text)} is cut: wait for the whole character`,
        )
      }
    }),
} satisfies Record<string, CheckBody>

/** Characters of two, three and four bytes, with marks and joiners. */
const manyBytes = 'é 日本語 e\u0301 👩‍🚀 𝒳 ñ 한국어'

function isWhole(text: string): boolean {
  const isTorn = text.startsWith('\uFFFD') || text.endsWith('\uFFFD')
  return !isTorn && !/\p{Surrogate}/u.test(text)
}

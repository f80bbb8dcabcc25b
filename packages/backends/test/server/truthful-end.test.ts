import { type BackendInfo, type GenerateRequest, unknown } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { bareInfo } from '../../src/server/server-profile.js'
import { type AnswerEnd, type AnswerEvent, withTruthfulEnd } from '../../src/server/truthful-end.js'
import { ask, collectEvents } from '../support/collect.js'

const end: AnswerEnd = {
  type: 'end',
  finishReason: 'stop',
  inputTokens: 100,
  cachedInputTokens: null,
  outputTokens: 28,
  thinkingTokens: null,
}

interface Case {
  readonly changes?: Partial<AnswerEnd>
  readonly request?: Partial<GenerateRequest>
  readonly info?: Partial<BackendInfo>
  readonly before?: readonly AnswerEvent[]
}

async function endOf({ changes = {}, request = {}, info = {}, before = [] }: Case) {
  async function* events(): AsyncGenerator<AnswerEvent> {
    yield* before
    yield { ...end, ...changes }
  }
  const truthful = withTruthfulEnd(
    events(),
    { ...ask('Hi'), ...request },
    { ...bareInfo('tiny', 'tiny', 'a test'), contextTokens: 128, ...info },
  )
  return (await collectEvents(truthful)).end
}

test.each([
  ['the context is full', 'context-full', { inputTokens: 100, outputTokens: 28 }, 300],
  ['one place of the context is kept free', 'context-full', { outputTokens: 27 }, 300],
  ['the budget is used up', 'length', { outputTokens: 20 }, 20],
  ['budget and context end together', 'length', { outputTokens: 28 }, 28],
  ['a limit of the server came first', 'length', { outputTokens: 10 }, 300],
] as const)('%s: %s', async (...[, expected, counts, maxOutputTokens]) => {
  const changes = { finishReason: 'length' as const, ...counts }
  const { finishReason } = await endOf({ changes, request: { maxOutputTokens } })
  expect(finishReason).toBe(expected)
})

test('without counts or without the size of the context, length stays length', async () => {
  const length = { finishReason: 'length' as const }
  const nothing = { ...length, inputTokens: null }
  const unsized = { contextTokens: unknown('it does not say') }
  expect((await endOf({ changes: nothing })).finishReason).toBe('length')
  expect((await endOf({ changes: length, info: unsized })).finishReason).toBe('length')
})

test('thinking that was seen is told apart from thinking that was asked for', async () => {
  const thought = { type: 'thinking-delta' as const, text: 'hm' }
  const seen = await endOf({ before: [thought], request: { thinking: 'off' } })
  expect(seen).toMatchObject({
    thinking: { asked: 'off', observed: true },
    thinkingTokens: null,
  })
  expect(await endOf({ request: { thinking: 'high' } })).toMatchObject({
    thinking: { asked: 'high', observed: false },
    thinkingTokens: 0,
  })
  expect(await endOf({ changes: { thinkingTokens: 7 } })).toMatchObject({
    thinking: { asked: null, observed: true },
  })
})

test('times that add up to more than the time that passed are left out', async () => {
  const timings = { prefillS: 0.01, decodeS: 0.01, loadS: null, queueS: null }
  expect((await endOf({ changes: { timings } })).timings).toEqual(timings)
  expect((await endOf({ changes: { timings: { ...timings, decodeS: 3 } } })).timings).toBe(
    undefined,
  )
  expect((await endOf({ changes: { timings: { ...timings, queueS: -1 } } })).timings).toBe(
    undefined,
  )
})

test('a prompt that was cut in silence fails', async () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
  const request = ask(text)
  await expect(endOf({ request, changes: { inputTokens: 1026 } })).rejects.toMatchObject({
    code: 'prompt-too-long',
    message: expect.stringContaining('counted 1026 input tokens for a prompt of 9000 bytes'),
    isRetryable: false,
  })
  expect((await endOf({ request, changes: { inputTokens: 2010 } })).inputTokens).toBe(2010)
})

test.each([
  ['a short prompt says too little', 'a'.repeat(20).concat(' b'.repeat(400)), 20],
  ['long runs of one character are one token or few', `${'='.repeat(9000)} done`, 120],
  ['text of three bytes a character', '日本語'.repeat(400), 800],
])('%s', async (_, text, inputTokens) => {
  const result = await endOf({ request: ask(text), changes: { inputTokens } })
  expect(result.inputTokens).toBe(inputTokens)
})

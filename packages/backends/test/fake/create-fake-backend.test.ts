import type { GenerateRequest } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { createFakeBackend } from '../../src/fake/index.js'
import { ask, collect } from '../support/collect.js'

test('the answer is made from the request', async () => {
  const answer = ({ messages }: GenerateRequest) => `got ${messages.length} message`
  await using model = await createFakeBackend({ answer }).load({ id: 'any' })
  const { text, end } = await collect(model)
  expect(text).toBe('got 1 message')
  expect(end).toMatchObject({ finishReason: 'stop', inputTokens: 6, outputTokens: 4 })
})

test('an answer over the limit is cut and says so', async () => {
  await using model = await createFakeBackend({ answer: 'one two three' }).load({})
  const { text, end } = await collect(model, { maxOutputTokens: 2 })
  expect(text).toBe('one two')
  expect(end).toMatchObject({ finishReason: 'length', outputTokens: 2 })
})

test('thinking comes first and is counted, and can be switched off', async () => {
  await using model = await createFakeBackend({ thinking: 'well well' }).load({})
  expect(await collect(model)).toMatchObject({ thinking: 'well well', end: { thinkingTokens: 2 } })
  expect(await collect(model, { thinking: 'off' })).toMatchObject({
    thinking: '',
    end: { thinkingTokens: 0 },
  })
})

test('a stop word cuts the answer', async () => {
  await using model = await createFakeBackend({ answer: 'one two three' }).load({})
  expect((await collect(model, { stop: [' three'] })).text).toBe('one two')
})

test('every output token takes its time', async () => {
  const waits: number[] = []
  const sleep = async (durationS: number) => {
    waits.push(durationS)
  }
  await using model = await createFakeBackend({ answer: 'a b c', tokenS: 0.5, sleep }).load({})
  await collect(model)
  expect(waits).toEqual([0.5, 0.5, 0.5])
})

test('an abort ends the wait at once, with its reason', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  await using model = await createFakeBackend({ tokenS: 1000 }).load({})
  const run = collect(model, { signal: controller.signal })
  controller.abort(reason)
  await expect(run).rejects.toBe(reason)
})

test('generations fail after a number of good ones', async () => {
  await using model = await createFakeBackend({ failAfter: 1 }).load({})
  await collect(model)
  await expect(collect(model)).rejects.toMatchObject({ code: 'backend-failed', isRetryable: false })
})

test('a model outside its list is refused', async () => {
  const backend = createFakeBackend({ models: ['tiny'] })
  await expect(backend.load({ id: 'huge' })).rejects.toMatchObject({ code: 'model-missing' })
})

test('parts of the info can be set', async () => {
  await using model = await createFakeBackend({ info: { quantization: 'Q4_0' } }).load({ id: 'x' })
  expect(model.info).toMatchObject({ model: 'x', quantization: 'Q4_0' })
})

test('the prompt can be counted in another way', async () => {
  await using model = await createFakeBackend({ countInput: () => 7 }).load({})
  expect((await collect(model, ask('a b c'))).end.inputTokens).toBe(7)
})

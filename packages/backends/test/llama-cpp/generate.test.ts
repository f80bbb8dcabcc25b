import type { LoadedModel } from '@energy-bench/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLlamaCpp } from '../../src/llama-cpp/index.js'
import { hashFile } from '../../src/shared/hash-file.js'
import { ask, collect } from '../support/collect.js'
import { referenceModelPath } from '../support/fixtures.js'

describe('llama-cpp with the reference model', () => {
  let model: LoadedModel

  beforeAll(async () => {
    model = await createLlamaCpp({ gpu: false }).load({ path: referenceModelPath })
  })

  afterAll(async () => {
    await model[Symbol.asyncDispose]()
  })

  test('describes what really runs', async () => {
    expect(model.info).toMatchObject({
      engine: 'llama.cpp (node-llama-cpp)',
      engineVersion: expect.stringMatching(/^v\d/),
      model: 'energy-bench reference model',
      modelDigest: await hashFile(referenceModelPath),
      quantization: 'Q4_0',
      contextTokens: 1024,
      slots: 1,
      gpuLayers: 0,
      processId: process.pid,
      promptCache: 'off',
    })
  })

  test('gives thinking and answer apart when it thinks', async () => {
    const { text, thinking, end } = await collect(model, { thinking: 'on' })
    expect(text).toBe('433')
    expect(thinking).toMatch(/^7\+6/)
    expect(end).toMatchObject({ finishReason: 'stop', inputTokens: 19, cachedInputTokens: 0 })
    expect(end.thinkingTokens).toBeGreaterThan(20)
    expect(end.outputTokens).toBeGreaterThan(end.thinkingTokens ?? 0)
  })

  test('answers at once when thinking is off, with the counts that llama-server gives', async () => {
    const { text, thinking, end } = await collect(model, { thinking: 'off' })
    expect([text, thinking]).toEqual(['433', ''])
    expect(end).toMatchObject({ inputTokens: 25, outputTokens: 4, thinkingTokens: 0 })
  })

  test('evaluates the whole prompt again when it is repeated', async () => {
    const request = { ...ask('Sort these words: river, castle, lemon.'), thinking: 'off' } as const
    const first = await collect(model, request)
    const second = await collect(model, request)
    expect(second.end.inputTokens).toBe(first.end.inputTokens)
    expect(second.end.cachedInputTokens).toBe(0)
    expect(second.text).toBe(first.text)
  })

  test('stops at the budget and says length', async () => {
    const { end } = await collect(model, { thinking: 'on', maxOutputTokens: 5 })
    expect(end).toMatchObject({ finishReason: 'length', outputTokens: 5 })
  })

  test('a stop word ends the answer and is not part of it', async () => {
    const { text, end } = await collect(model, { thinking: 'off', stop: ['33'] })
    expect(text).toBe('4')
    expect(end.finishReason).toBe('stop')
  })

  test('a stop word inside the thinking does not end it', async () => {
    const { text } = await collect(model, { thinking: 'on', stop: ['+'] })
    expect(text).toBe('433')
  })

  test('a prompt longer than the context is refused with both numbers', async () => {
    const request = ask('What is 1 + 1? '.repeat(300))
    await expect(collect(model, request)).rejects.toMatchObject({
      code: 'prompt-too-long',
      message: expect.stringMatching(/prompt has \d+ tokens and the context holds 1024/),
    })
  })

  test('a second generation at the same time is refused and the first one goes on', async () => {
    const first = model.generate(ask('What is 1 + 1?'))[Symbol.asyncIterator]()
    await first.next()
    await expect(collect(model)).rejects.toMatchObject({
      code: 'backend-busy',
      isRetryable: true,
    })
    expect((await first.next()).done).toBe(false)
    await first.return?.()
    expect((await collect(model, { thinking: 'off' })).text).toBe('433')
  })
})

test('an answer ends with context-full where the context is used up before the budget', async () => {
  await using model = await createLlamaCpp({ gpu: false, contextTokens: 256 }).load({
    path: referenceModelPath,
  })
  const question = `What is 347 + 86? ${'What is 5 + 5? '.repeat(29)}`
  const { end } = await collect(model, { ...ask(question), thinking: 'on', maxOutputTokens: 1000 })
  expect(end).toMatchObject({ finishReason: 'context-full', inputTokens: 252, outputTokens: 4 })
})

test('a generation ends with an error when its model is disposed', async () => {
  const model = await createLlamaCpp({ gpu: false }).load({ path: referenceModelPath })
  const run = async () => {
    for await (const _ of model.generate(ask('What is 347 + 86?')))
      await model[Symbol.asyncDispose]()
  }
  await expect(run()).rejects.toMatchObject({ code: 'backend-failed' })
})

test('disposing the backend disposes its models', async () => {
  const backend = createLlamaCpp({ gpu: false })
  const model = await backend.load({ path: referenceModelPath })
  await backend[Symbol.asyncDispose]()
  await expect(collect(model)).rejects.toMatchObject({ code: 'backend-failed' })
})

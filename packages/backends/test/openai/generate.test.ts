import { expect, test, vi } from 'vitest'
import { createOpenAI } from '../../src/openai/index.js'
import { ask, collect } from '../support/collect.js'
import { exchange } from '../support/fixtures.js'
import { openReplayServer, type ReplayOptions } from '../support/replay-server.js'

async function open(options: ReplayOptions = {}) {
  const server = await openReplayServer(options)
  const model = await createOpenAI({ baseUrl: server.url }).load({})
  return {
    server,
    model,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

function sse(...chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
}

function delta(content: string, finish: string | null = null): unknown {
  return { choices: [{ index: 0, delta: { content }, finish_reason: finish }] }
}

test('thinking and answer come apart, with the counts and seconds of the engine', async () => {
  await using opened = await open()
  const { text, thinking, end } = await collect(opened.model, { thinking: 'on' })
  expect(text).toBe('433')
  expect(thinking).toBe('7+6+0=13 3\n4+8+1=13 33\n3+0+1=4 433\n433\n')
  expect(end).toMatchObject({
    finishReason: 'stop',
    inputTokens: 19,
    cachedInputTokens: 0,
    outputTokens: 48,
    thinkingTokens: null,
  })
  expect(end.timings?.decodeS).toBeGreaterThan(0.01)
  expect(end.timings?.decodeS).toBeLessThan(0.1)
})

test('without any thinking its count is 0', async () => {
  await using opened = await open()
  const { thinking, end } = await collect(opened.model, { thinking: 'off' })
  expect([thinking, end.thinkingTokens]).toEqual(['', 0])
})

test('the request switches the cache off and thinking as asked', async () => {
  await using opened = await open()
  await collect(opened.model, { thinking: 'off', seed: 3, stop: ['x'] })
  expect(opened.server.requests[0]).toMatchObject({
    model: 'reference-q4_0.gguf',
    cache_prompt: false,
    chat_template_kwargs: { enable_thinking: false },
    temperature: 0,
    seed: 3,
    stop: ['x'],
    max_tokens: 300,
    stream_options: { include_usage: true },
  })
})

test('a request that says nothing of thinking sends nothing of it', async () => {
  await using opened = await open()
  await collect(opened.model)
  expect(opened.server.requests[0]).not.toHaveProperty('chat_template_kwargs')
})

test('a used up budget is told as length', async () => {
  await using opened = await open()
  const { end } = await collect(opened.model, { maxOutputTokens: 8 })
  expect(end).toMatchObject({ finishReason: 'length', outputTokens: 8 })
})

test('counts that the server does not give are null, never counted from chunks', async () => {
  await using opened = await open({ chat: () => exchange('chat-stream-no-usage') })
  expect((await collect(opened.model)).end).toMatchObject({
    inputTokens: null,
    cachedInputTokens: null,
    outputTokens: null,
    thinkingTokens: null,
  })
})

test('thinking between tags in the text is found, and so is the newer field name', async () => {
  const reasoning = { choices: [{ delta: { reasoning: 'so ' }, finish_reason: null }] }
  const chat = () => sse(reasoning, delta('<thi'), delta('nk>hm</think>4'), delta('33', 'stop'))
  await using opened = await open({ chat })
  expect(await collect(opened.model)).toMatchObject({ thinking: 'so hm', text: '433' })
})

test.each([
  ['content_filter', 'refused'],
  ['tool_calls', 'other'],
])('the finish reason %s is %s', async (reason, expected) => {
  await using opened = await open({ chat: () => sse(delta('a', reason)) })
  expect((await collect(opened.model)).end.finishReason).toBe(expected)
})

test('a stream without a finish reason is a failure, not an answer', async () => {
  await using opened = await open({ chat: () => sse(delta('4'), delta('33')) })
  await expect(collect(opened.model)).rejects.toMatchObject({
    code: 'stream-cut',
    message: expect.stringContaining('without a finish reason'),
    isRetryable: true,
  })
})

test.each(['abort', 'error'])('a stream that the engine gave up with %s is cut', async (reason) => {
  await using opened = await open({ chat: () => sse(delta('4'), delta('33', reason)) })
  await expect(collect(opened.model)).rejects.toMatchObject({
    code: 'stream-cut',
    message: expect.stringContaining(`the engine gave it up (${reason})`),
    isRetryable: true,
  })
})

test('an error in the middle of a stream is a failure', async () => {
  const chat = () => sse(delta('4'), { error: { message: 'out of memory', code: 500 } })
  await using opened = await open({ chat })
  await expect(collect(opened.model)).rejects.toMatchObject({
    code: 'backend-failed',
    message: expect.stringContaining('out of memory'),
  })
})

test('a connection that breaks in the middle is a failure of one line', async () => {
  await using opened = await open({ dieAfterEvents: 4 })
  await expect(collect(opened.model)).rejects.toMatchObject({
    code: 'stream-cut',
    message: expect.stringMatching(/broke in the middle: [^\n]+\.$/),
    isRetryable: true,
  })
})

test('a prompt over the context is refused with the words of the server', async () => {
  await using opened = await open({ chat: () => exchange('error-over-long') })
  await expect(collect(opened.model)).rejects.toMatchObject({
    code: 'prompt-too-long',
    message: expect.stringContaining('request (1609 tokens) exceeds the available context size'),
    isRetryable: false,
  })
})

test('a failed request is not repeated', async () => {
  const chat = () => ({ ...exchange('error-over-long'), response: { status: 500, headers: {} } })
  await using opened = await open({ chat })
  await expect(collect(opened.model)).rejects.toMatchObject({
    code: 'backend-failed',
    isRetryable: false,
  })
  expect(opened.server.requests).toHaveLength(1)
})

test('breaking out of the loop closes the connection, which stops the engine', async () => {
  await using opened = await open()
  for await (const _ of opened.model.generate(ask('What is 347 + 86?'))) break
  await vi.waitFor(() => expect(opened.server.closedEarly).toBe(1))
})

test('an answer that takes too long fails with its limit', async () => {
  await using server = await openReplayServer({ chat: () => exchange('chat-stream-usage') })
  const never: typeof fetch = async (input, init) => {
    if (!String(input).includes('chat')) return fetch(input, init)
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  }
  const options = { baseUrl: server.url, fetch: never, requestTimeoutS: 0.05 }
  await using model = await createOpenAI(options).load({})
  await expect(collect(model)).rejects.toMatchObject({
    code: 'backend-timeout',
    message: expect.stringContaining('within 0.05 s'),
  })
})

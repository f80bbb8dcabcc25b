import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createLlamaServer, type LlamaServerOptions } from '../../src/llama-server/index.js'
import { collect } from '../support/collect.js'
import { exchange } from '../support/fixtures.js'
import {
  openReplayServer,
  type ReplayOptions,
  type ReplayServer,
} from '../support/replay-server.js'

describe('the llama-server backend against recorded answers', () => {
  let server: ReplayServer

  beforeAll(async () => {
    server = await openReplayServer()
  })

  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const create = () => createLlamaServer({ baseUrl: server.url })
  for (const check of backendContract({ create, model: {} })) test(check.name, check.run)
})

async function open(replay: ReplayOptions = {}, options: Partial<LlamaServerOptions> = {}) {
  const server = await openReplayServer(replay)
  const model = await createLlamaServer({ baseUrl: server.url, ...options }).load({})
  return {
    server,
    model,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Answers `/props` with changes to the recorded one. */
function withProps(changes: Record<string, unknown>): typeof fetch {
  return async (input, init) => {
    if (!String(input).endsWith('/props')) return fetch(input, init)
    return Response.json({ ...(exchange('props').response.body as object), ...changes })
  }
}

test('template and sampling are told as the server applies them', async () => {
  await using opened = await open()
  const { chat_template } = exchange('props').response.body as { chat_template: string }
  const digest = createHash('sha256').update(chat_template).digest('hex')
  expect(opened.model.info).toMatchObject({
    chatTemplateDigest: `sha256:${digest}`,
    samplingApplied: {
      top_k: 40,
      top_p: 0.95,
      min_p: 0.05,
      typical_p: 1,
      repeat_penalty: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
    },
  })
})

test('the prompt cache is off unless it is asked for', async () => {
  await using off = await open()
  await collect(off.model)
  expect(off.server.requests[0]).toMatchObject({ cache_prompt: false })
  expect(off.model.info.promptCache).toBe('off')
  await using on = await open({}, { cachePrompt: true })
  await collect(on.model)
  expect(on.server.requests[0]).toMatchObject({ cache_prompt: true })
  expect(on.model.info).toMatchObject({ promptCache: 'on', settings: { cachePrompt: true } })
})

test('levels of thinking reach the template', async () => {
  await using opened = await open()
  await collect(opened.model, { thinking: 'low' })
  expect(opened.server.requests[0]).toMatchObject({
    chat_template_kwargs: { enable_thinking: true, reasoning_effort: 'low' },
  })
})

test('a model that thinks although told not to is told in two fields', async () => {
  await using opened = await open({ chat: () => exchange('chat-stream-usage') })
  const { end } = await collect(opened.model, { thinking: 'off' })
  expect(end.thinking).toEqual({ asked: 'off', observed: true })
})

test('length at the end of the context is context-full', async () => {
  const chat = () => exchange('chat-stream-max-tokens')
  await using full = await open(
    { chat },
    { fetch: withProps({ default_generation_settings: { n_ctx: 27 } }) },
  )
  const { end } = await collect(full.model)
  expect(end).toMatchObject({ finishReason: 'context-full', inputTokens: 19, outputTokens: 8 })
})

test('an older server without n_ctx in /props is asked for its slots', async () => {
  await using server = await openReplayServer()
  const old = withProps({ default_generation_settings: {} })
  const older: typeof fetch = async (input, init) =>
    String(input).endsWith('/slots') ? Response.json([{ id: 0, n_ctx: 2048 }]) : old(input, init)
  await using model = await createLlamaServer({ baseUrl: server.url, fetch: older }).load({})
  expect(model.info).toMatchObject({
    contextTokens: 2048,
    samplingApplied: { status: 'unknown' },
  })
})

test('a prompt over the context is told as such', async () => {
  await using opened = await open({ chat: () => exchange('error-over-long') })
  await expect(collect(opened.model)).rejects.toMatchObject({
    code: 'prompt-too-long',
    message: expect.stringContaining('1609 tokens'),
    isRetryable: false,
  })
})

test('another server at the address is refused', async () => {
  const fetchOther: typeof fetch = async (input, init) =>
    String(input).endsWith('/props') ? Response.json({ hello: 1 }) : fetch(input, init)
  await expect(open({}, { fetch: fetchOther })).rejects.toMatchObject({
    code: 'backend-unavailable',
    fix: expect.stringContaining('createOpenAI'),
    isRetryable: false,
  })
})

test('each stream has a connection of its own, which this server closes after it anyway', async () => {
  const connections: unknown[] = []
  const watching: typeof fetch = (input, init) => {
    if (init?.method === 'POST') connections.push(new Headers(init.headers).get('connection'))
    return fetch(input, init)
  }
  await using opened = await open({}, { fetch: watching })
  await collect(opened.model)
  await collect(opened.model)
  expect(connections).toEqual(['close', 'close'])
})

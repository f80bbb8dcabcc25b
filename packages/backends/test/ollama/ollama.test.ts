import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unknown } from '@energy-bench/spec'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createOllama, type OllamaOptions } from '../../src/ollama/index.js'
import { findRunnerProcess } from '../../src/ollama/runner-process.js'
import { ask, collect } from '../support/collect.js'
import { fixture, type OllamaServerOptions, openOllamaServer } from '../support/ollama-server.js'
import type { TestServer } from '../support/test-server.js'

describe('the ollama backend against answers in the documented format', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await openOllamaServer()
  })

  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  for (const cachePrompt of [false, true]) {
    const create = () => createOllama({ baseUrl: server.url, cachePrompt })
    for (const check of backendContract({ create, model: {} })) {
      test(`${check.name}, prompt cache ${cachePrompt ? 'on' : 'off'}`, check.run)
    }
  }
})

async function open(server: OllamaServerOptions = {}, options: Partial<OllamaOptions> = {}) {
  const opened = await openOllamaServer(server)
  try {
    const model = await createOllama({ baseUrl: opened.url, ...options }).load({})
    return {
      server: opened,
      model,
      chats: () => opened.requests.flatMap((one) => (one.path === '/api/chat' ? [one.body] : [])),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  } catch (error) {
    await opened[Symbol.asyncDispose]()
    throw error
  }
}

describe('what runs', () => {
  test('is told as Ollama says it', async () => {
    await using opened = await open()
    const digest = createHash('sha256').update('{{ .Prompt }}').digest('hex')
    expect(opened.model.info).toMatchObject({
      engine: 'Ollama',
      engineVersion: '0.40.12',
      model: 'qwen3:8b',
      modelDigest: 'sha256:a3de86cd1c132c822487ededd47a324c50491393e6565cd14bafa40d0b8e686f',
      quantization: 'Q4_K_M',
      contextTokens: 4096,
      slots: { status: 'unknown' },
      gpuLayers: { status: 'unknown' },
      promptCache: 'off',
      chatTemplateDigest: `sha256:${digest}`,
      samplingApplied: { top_k: 20, top_p: 0.95, min_p: 0, repeat_penalty: 1 },
      settings: {
        manifestDigest: '500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41',
        gpuMemoryRatio: 1,
        cacheAvoidance: 'unique prefix',
      },
    })
  })

  test('a model that is on the CPU has no GPU layers', async () => {
    await using opened = await open({ running: { size_vram: 0 } })
    expect(opened.model.info).toMatchObject({ gpuLayers: 0, deviceUuids: [] })
  })

  test('what an older Ollama does not say is unknown', async () => {
    await using opened = await open({
      running: { context_length: undefined },
      show: { template: '', modelfile: 'FROM scratch', parameters: undefined },
    })
    expect(opened.model.info).toMatchObject({
      contextTokens: { status: 'unknown' },
      chatTemplateDigest: { status: 'unknown' },
      modelDigest: { status: 'unknown' },
      samplingApplied: { top_k: 40, top_p: 0.9, min_p: 0, repeat_penalty: 1 },
    })
  })

  test('a model that is not there is told with the command that pulls it, and nothing is pulled', async () => {
    await using server = await openOllamaServer()
    const backend = createOllama({ baseUrl: server.url })
    await expect(backend.load({ id: 'llama3.2:1b' })).rejects.toMatchObject({
      code: 'model-missing',
      message: `Ollama at ${server.url} has no model "llama3.2:1b".`,
      fix: 'Run: ollama pull llama3.2:1b',
      isRetryable: false,
    })
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/version', '/api/tags'])
  })

  test('a name without a tag means latest', async () => {
    await using server = await openOllamaServer({
      answers: { '/api/tags': 'tags-two' },
      running: { name: 'tiny:latest' },
    })
    await using model = await createOllama({ baseUrl: server.url }).load({ id: 'tiny' })
    expect(model.info.model).toBe('tiny:latest')
  })

  test('of several models one must be chosen', async () => {
    await expect(open({ answers: { '/api/tags': 'tags-two' } })).rejects.toMatchObject({
      code: 'model-missing',
      fix: 'Choose one of: qwen3:8b, tiny:latest.',
    })
  })

  test('a model of the cloud is refused', async () => {
    await expect(open({ show: { remote_host: 'https://ollama.com:443' } })).rejects.toMatchObject({
      code: 'model-invalid',
      message: expect.stringContaining('runs in the cloud'),
    })
  })
})

describe('requests', () => {
  test('say everything, the same on every call', async () => {
    await using opened = await open({}, { contextTokens: 8192 })
    await collect(opened.model, { temperature: 0.7, seed: 3, stop: ['x'] })
    await collect(opened.model)
    const load = opened.server.requests.find(({ path }) => path === '/api/generate')
    expect(load?.body).toMatchObject({ prompt: '', options: { num_ctx: 8192 }, keep_alive: '30m' })
    const fixed = { num_ctx: 4096, top_k: 20, top_p: 0.95, min_p: 0, repeat_penalty: 1 }
    expect(opened.chats()).toMatchObject([
      {
        truncate: false,
        shift: false,
        keep_alive: '30m',
        options: { ...fixed, temperature: 0.7, seed: 3, num_predict: 300, stop: ['x'] },
      },
      { options: { ...fixed, temperature: 0, seed: 0, num_predict: 300 } },
    ])
    expect(opened.chats()[1]).not.toHaveProperty('think')
  })

  test('begin with a mark that never comes again, since the cache cannot be switched off', async () => {
    await using opened = await open()
    await collect(opened.model)
    await collect(opened.model)
    const [first, second] = opened.chats().map(({ messages }) => JSON.stringify(messages))
    expect(first).toMatch(/"content":"\[[0-9a-f]{8}\] What is 347 \+ 86\?"/)
    expect(second).not.toBe(first)
    expect(opened.model.supports.seed).toBe(false)
  })

  test('are left as they are where the cache is allowed', async () => {
    await using opened = await open({}, { cachePrompt: true })
    await collect(opened.model)
    expect(opened.chats()[0]?.messages).toEqual([{ role: 'user', content: 'What is 347 + 86?' }])
    expect(opened.model.info.promptCache).toBe('on')
    expect(opened.model.supports.seed).toBe(true)
  })

  test.each([
    ['qwen3', 'off', false],
    ['qwen3', 'on', true],
    ['qwen3', 'low', 'low'],
    ['gptoss', 'off', 'low'],
    ['gptoss', 'on', 'medium'],
    ['gptoss', 'high', 'high'],
  ] as const)('of a %s map thinking %s to %s', async (family, thinking, think) => {
    const tags = fixture('tags').body as { models: [{ details: object }] }
    const details = { ...tags.models[0].details, family }
    const withFamily: typeof fetch = async (input, init) =>
      String(input).endsWith('/api/tags')
        ? Response.json({ models: [{ ...tags.models[0], details }] })
        : fetch(input, init)
    await using opened = await open({}, { fetch: withFamily })
    await collect(opened.model, { thinking })
    expect(opened.chats()[0]).toMatchObject({ think })
  })

  test('to a model that cannot think say nothing of thinking', async () => {
    await using opened = await open({ show: { capabilities: ['completion'] } })
    await collect(opened.model, { thinking: 'high' })
    expect(opened.chats()[0]).not.toHaveProperty('think')
    expect(opened.model.supports.thinking).toBe(false)
  })
})

describe('answers', () => {
  test('have thinking and text apart, with counts and seconds of the engine', async () => {
    await using opened = await open()
    const { text, thinking, end } = await collect(opened.model)
    expect([thinking, text]).toEqual(['7+6=13, so 433.', '433'])
    expect(end).toMatchObject({
      finishReason: 'stop',
      inputTokens: 26,
      cachedInputTokens: 3,
      outputTokens: 15,
      thinkingTokens: null,
      thinking: { asked: null, observed: true },
      timings: { prefillS: 0.0061, decodeS: 0.0118, loadS: 0.0019, queueS: null },
    })
  })

  test('without thinking count 0 thinking tokens', async () => {
    await using opened = await open()
    const { end } = await collect(opened.model, { thinking: 'off' })
    expect(end).toMatchObject({ thinkingTokens: 0, thinking: { asked: 'off', observed: false } })
  })

  test('what is left out is null, never 0', async () => {
    await using opened = await open({ chat: () => 'chat-old-counts' })
    expect((await collect(opened.model)).end).toMatchObject({
      inputTokens: null,
      cachedInputTokens: null,
      outputTokens: 4,
      timings: { prefillS: null, decodeS: 0.003, loadS: null },
    })
  })

  test('a used up budget and a used up context are told apart', async () => {
    const chat = () => 'chat-max-tokens'
    await using budget = await open({ chat })
    expect((await collect(budget.model, { maxOutputTokens: 8 })).end.finishReason).toBe('length')
    await using context = await open({ chat, running: { context_length: 34 } })
    expect((await collect(context.model)).end.finishReason).toBe('context-full')
  })

  test.each([
    ['chat-no-done', 'stream-cut', true],
    ['chat-empty-reason', 'stream-cut', true],
    ['chat-error-line', 'backend-failed', false],
    ['error-too-long', 'prompt-too-long', false],
    ['error-queue-full', 'backend-busy', true],
    ['error-model-gone', 'model-missing', false],
  ])('%s is %s', async (name, code, isRetryable) => {
    await using opened = await open({ chat: () => name })
    await expect(collect(opened.model)).rejects.toMatchObject({ code, isRetryable })
  })

  test('a line that is not JSON fails the answer and prints nothing', async () => {
    const warn = vi.spyOn(console, 'warn')
    await using opened = await open({ chat: () => '{"message":{"content":"4"}}\n<garbage>\n' })
    await expect(collect(opened.model)).rejects.toMatchObject({
      code: 'backend-failed',
      message: expect.stringContaining('not JSON'),
    })
    expect(warn).not.toHaveBeenCalled()
  })

  test('a prompt that was cut in silence fails', async () => {
    await using opened = await open({ chat: () => 'chat-think' })
    const request = ask('The quick brown fox jumps over the lazy dog. '.repeat(100))
    await expect(collect(opened.model, request)).rejects.toMatchObject({
      code: 'prompt-too-long',
      message: expect.stringContaining('counted 26 input tokens'),
    })
  })
})

describe('the process that does the work', () => {
  let procPath: string

  beforeAll(async () => {
    procPath = await mkdtemp(join(tmpdir(), 'energy-bench-'))
    const processes = { 10: '1', 11: '10', 12: '1', 13: '12', 14: '12', 15: '7' }
    for (const [id, parent] of Object.entries(processes)) {
      await mkdir(join(procPath, id))
      await writeFile(join(procPath, id, 'stat'), `${id} (odd) name) S ${parent} 1 1 0`)
    }
  })

  afterAll(async () => {
    await rm(procPath, { recursive: true })
  })

  test('is the only child of the server', async () => {
    expect(await findRunnerProcess(10, procPath)).toBe(11)
  })

  test('is unknown where there are several, none, or no server', async () => {
    const counts = [12, 15].map((server) => findRunnerProcess(server, procPath))
    expect(await Promise.all(counts)).toEqual([
      unknown('the Ollama process 12 has 2 runners, not one'),
      unknown('the Ollama process 15 has 0 runners, not one'),
    ])
    expect(await findRunnerProcess(unknown('far away'), procPath)).toEqual(unknown('far away'))
  })
})

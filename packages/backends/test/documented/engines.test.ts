import type { Backend } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { createLmStudio } from '../../src/lm-studio/index.js'
import { createMlx } from '../../src/mlx/index.js'
import { createSglang } from '../../src/sglang/index.js'
import { createTgi } from '../../src/tgi/index.js'
import { createTransformersServe } from '../../src/transformers-serve/index.js'
import { createVllm } from '../../src/vllm/index.js'
import { collect } from '../support/collect.js'
import { openDocumentedServer } from '../support/documented-server.js'

const chat = 'POST /v1/chat/completions'

interface Options {
  readonly baseUrl: string
  readonly cachePrompt?: boolean
}

/** Opens a model of an engine on a server of its kind. */
function opener(engine: string, create: (options: Options) => Backend) {
  return async (
    answers: Parameters<typeof openDocumentedServer>[1] = {},
    options: { readonly cachePrompt?: boolean; readonly contextTokens?: number } = {},
  ) => {
    const { contextTokens, ...rest } = options
    const server = await openDocumentedServer(engine, answers)
    const backend = create({ baseUrl: server.url, ...rest })
    const model = await backend.load({}, contextTokens === undefined ? {} : { contextTokens })
    return {
      model,
      server,
      bodies: () =>
        server.requests.flatMap(({ method, path, body }) =>
          `${method} ${path}` === chat && body.stream === true ? [body] : [],
        ),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  }
}

const uniquePrefix = /^\[[0-9a-f]{8}\] What is 347 \+ 86\?$/

describe('vllm', () => {
  const open = opener('vllm', createVllm)

  test('is described by its version and its list of models', async () => {
    await using opened = await open()
    expect(opened.model.info).toMatchObject({
      engine: 'vLLM',
      engineVersion: '0.32.0',
      model: 'Qwen/Qwen3-8B',
      contextTokens: 4096,
      quantization: { status: 'unknown' },
      promptCache: 'off',
      samplingApplied: { top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 },
      settings: { root: '/models/qwen3-8b', cacheAvoidance: 'cache_salt' },
    })
    expect(opened.model.supports).toEqual({ seed: true, concurrency: true, thinking: true })
  })

  test('gets its sampling in words, and a salt of its own for each prompt', async () => {
    await using opened = await open()
    await collect(opened.model, { thinking: 'low' })
    await collect(opened.model, { thinking: 'off' })
    const [first, second] = opened.bodies()
    expect(first).toMatchObject({
      top_p: 1,
      top_k: -1,
      chat_template_kwargs: { enable_thinking: true },
      reasoning_effort: 'low',
    })
    expect(second).toMatchObject({ chat_template_kwargs: { enable_thinking: false } })
    expect(second).not.toHaveProperty('reasoning_effort')
    expect(second?.cache_salt).not.toBe(first?.cache_salt)
    await using cached = await open({}, { cachePrompt: true })
    await collect(cached.model)
    expect(cached.bodies()[0]).not.toHaveProperty('cache_salt')
    expect(cached.model.info.promptCache).toBe('on')
  })

  test('gives counts and times apart', async () => {
    await using opened = await open()
    const { text, thinking, end } = await collect(opened.model)
    expect([thinking, text]).toEqual(['7+6=13, so 433.', '433'])
    expect(end).toMatchObject({
      inputTokens: 19,
      cachedInputTokens: 0,
      outputTokens: 15,
      thinkingTokens: 10,
      timings: { prefillS: 0.006, decodeS: 0.012, loadS: null, queueS: 0.0005 },
    })
  })

  test('without its flags leaves cached tokens and times unknown', async () => {
    await using opened = await open({ [chat]: 'chat without details' })
    const { thinking, end } = await collect(opened.model)
    expect(thinking).toBe('7+6=13, so 433.')
    expect(end).toMatchObject({ cachedInputTokens: null, thinkingTokens: null })
    expect(end).not.toHaveProperty('timings')
  })

  test.each([
    ['too long', 'prompt-too-long'],
    ['unknown model', 'model-missing'],
  ])('answers %s, which is %s', async (answer, code) => {
    await using opened = await open({ [chat]: answer })
    await expect(collect(opened.model)).rejects.toMatchObject({ code, isRetryable: false })
  })
})

describe('sglang', () => {
  const open = opener('sglang', createSglang)

  test('is described by its server info', async () => {
    await using opened = await open()
    expect(opened.model.info).toMatchObject({
      engine: 'SGLang',
      engineVersion: '0.5.9',
      quantization: 'fp8',
      contextTokens: 4096,
      settings: { weightVersion: 'default' },
    })
  })

  test('of an older version has other routes', async () => {
    const old = { 'GET /server_info': 'none', 'GET /get_server_info': 'GET /server_info' }
    const more = { 'GET /model_info': 'none', 'GET /get_model_info': 'GET /model_info' }
    await using opened = await open({ ...old, ...more })
    expect(opened.model.info.engineVersion).toBe('0.5.9')
  })

  test('counts thinking beside the details of the usage', async () => {
    await using opened = await open()
    const { end } = await collect(opened.model)
    expect(end).toMatchObject({ cachedInputTokens: 0, thinkingTokens: 10 })
    expect(opened.bodies()[0]).toHaveProperty('cache_salt')
  })

  test('says that a prompt is too long', async () => {
    await using opened = await open({ [chat]: 'too long' })
    await expect(collect(opened.model)).rejects.toMatchObject({ code: 'prompt-too-long' })
  })
})

describe('lm-studio', () => {
  const open = opener('lm-studio', createLmStudio)
  const models = 'GET /api/v1/models'

  test('is described by its own list of models', async () => {
    await using opened = await open()
    expect(opened.model.info).toMatchObject({
      engine: 'LM Studio',
      engineVersion: { status: 'unknown' },
      quantization: 'Q4_K_M',
      contextTokens: 4096,
      slots: 4,
      promptCache: 'off',
      settings: { format: 'gguf', flashAttention: true, cacheAvoidance: 'unique prefix' },
    })
  })

  test('loads a model that is not in memory, with the context that is asked for', async () => {
    const answers = { [models]: [`${models}, not loaded`, models] }
    await using opened = await open(answers, { contextTokens: 4096 })
    const load = opened.server.requests.find(({ path }) => path === '/api/v1/models/load')
    expect(load?.body).toEqual({ model: 'Qwen/Qwen3-8B', context_length: 4096 })
    expect(opened.model.info.contextTokens).toBe(4096)
  })

  test('is not told to load what is in memory', async () => {
    await using opened = await open()
    expect(opened.server.requests.map(({ method }) => method)).not.toContain('POST')
  })

  test.each([
    ['off', 'none'],
    ['on', 'medium'],
    ['high', 'high'],
  ] as const)('maps thinking %s to the effort %s', async (thinking, effort) => {
    await using opened = await open()
    await collect(opened.model, { thinking })
    expect(opened.bodies()[0]).toMatchObject({ reasoning_effort: effort })
  })

  test('gets a prefix that never comes again, unless the cache is allowed', async () => {
    await using opened = await open()
    await collect(opened.model)
    expect(opened.bodies()[0]).toMatchObject({
      messages: [{ content: expect.stringMatching(uniquePrefix) }],
    })
    expect(opened.model.supports.seed).toBe(false)
    await using cached = await open({}, { cachePrompt: true })
    await collect(cached.model)
    expect(cached.bodies()[0]).toMatchObject({ messages: [{ content: 'What is 347 + 86?' }] })
    expect(cached.model.supports.seed).toBe(true)
  })

  test('says that a prompt is too long', async () => {
    await using opened = await open({ [chat]: 'too long' })
    await expect(collect(opened.model)).rejects.toMatchObject({ code: 'prompt-too-long' })
  })
})

describe('tgi', () => {
  const open = opener('tgi', createTgi)

  test('is described by its info', async () => {
    await using opened = await open()
    expect(opened.model.info).toMatchObject({
      engine: 'TGI',
      engineVersion: '3.3.7',
      model: 'Qwen/Qwen3-8B',
      contextTokens: 4096,
      settings: {
        modelRevision: 'b968826d9c46dd6066d109eabc6255188de91218',
        dtype: 'torch.bfloat16',
      },
    })
  })

  test('gets no temperature of 0, which it refuses', async () => {
    await using opened = await open()
    await collect(opened.model)
    await collect(opened.model, { temperature: 0.5 })
    expect(opened.bodies()[0]).not.toHaveProperty('temperature')
    expect(opened.bodies()[1]).toMatchObject({ temperature: 0.5 })
  })

  test('says that a prompt is too long', async () => {
    await using opened = await open({ [chat]: 'too long' })
    await expect(collect(opened.model)).rejects.toMatchObject({ code: 'prompt-too-long' })
  })
})

describe('mlx', () => {
  const open = opener('mlx', createMlx)

  test('tells its versions in an answer of one token, which loads the model', async () => {
    await using opened = await open()
    expect(opened.model.info).toMatchObject({
      engine: 'mlx_lm.server',
      engineVersion: '0.31.1-0.30.2-macOS-26.1-arm64-arm-64bit-applegpu_g16s',
      samplingApplied: { top_p: 1, top_k: 0, min_p: 0 },
    })
    const probe = opened.server.requests.find(({ method }) => method === 'POST')
    expect(probe?.body).toMatchObject({ model: 'Qwen/Qwen3-8B', max_tokens: 1 })
  })

  test('is not asked for a model that it would download', async () => {
    await using server = await openDocumentedServer('mlx')
    const load = createMlx({ baseUrl: server.url }).load({ id: 'mlx-community/other' })
    await expect(load).rejects.toMatchObject({ code: 'model-missing' })
    expect(server.requests.map(({ method }) => method)).not.toContain('POST')
  })

  test('gives what came from the cache in spite of the prefix', async () => {
    await using opened = await open()
    const { thinking, end } = await collect(opened.model, { thinking: 'on' })
    expect(thinking).toBe('7+6=13, so 433.')
    expect(end).toMatchObject({ inputTokens: 26, cachedInputTokens: 3 })
    expect(opened.bodies()[0]).toMatchObject({
      messages: [{ content: expect.stringMatching(uniquePrefix) }],
      chat_template_kwargs: { enable_thinking: true },
    })
  })
})

describe('transformers-serve', () => {
  const open = opener('transformers-serve', createTransformersServe)

  test('gets nothing that it would refuse', async () => {
    await using opened = await open()
    await collect(opened.model, { thinking: 'off', seed: 3, stop: ['x'] })
    expect(Object.keys(opened.bodies()[0] ?? {}).sort()).toEqual(
      ['max_tokens', 'messages', 'model', 'seed', 'stop', 'stream', 'temperature'].sort(),
    )
  })

  test('gives its usage on the last chunk', async () => {
    await using opened = await open()
    const { text, end } = await collect(opened.model)
    expect(text).toBe('433')
    expect(end).toMatchObject({ inputTokens: 26, cachedInputTokens: null, outputTokens: 4 })
    expect(opened.model.info.engineVersion).toMatchObject({ status: 'unknown' })
  })

  test('refuses a field with words of its own', async () => {
    await using opened = await open({ [chat]: 'unknown field' })
    await expect(collect(opened.model)).rejects.toMatchObject({
      code: 'backend-failed',
      message: expect.stringContaining("Unexpected keys in the request: {'cache_salt'}"),
    })
  })
})

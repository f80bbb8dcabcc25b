import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOpenAI } from '../../src/openai/index.js'
import { hashFile } from '../../src/shared/hash-file.js'
import { collect } from '../support/collect.js'
import { exchange } from '../support/fixtures.js'
import { openReplayServer } from '../support/replay-server.js'

test('llama-server is described by what it says of itself', async () => {
  await using server = await openReplayServer()
  await using model = await createOpenAI({ baseUrl: `${server.url}/v1/` }).load({})
  expect(model.info).toMatchObject({
    engine: 'llama-server',
    engineVersion: 'b1-80fb11a',
    model: 'reference-q4_0.gguf',
    quantization: 'Q4_0',
    contextTokens: 1024,
    slots: 1,
    promptCache: 'off',
    modelDigest: { status: 'unknown', reason: expect.stringContaining('cannot be read here') },
    gpuLayers: { status: 'unknown' },
    settings: { baseUrl: server.url },
  })
  expect(model.supports.thinking).toBe(true)
})

test('weights on this machine are hashed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'energy-bench-'))
  const path = join(folder, 'weights.gguf')
  await writeFile(path, 'GGUF weights')
  await using server = await openReplayServer()
  const withPath: typeof fetch = async (input, init) => {
    if (!String(input).endsWith('/props')) return fetch(input, init)
    const body = exchange('props').response.body
    return Response.json({ ...(body as object), model_path: path })
  }
  await using model = await createOpenAI({ baseUrl: server.url, fetch: withPath }).load({})
  expect(model.info.modelDigest).toBe(await hashFile(path))
  await rm(folder, { recursive: true })
})

test('a server that still loads is waited for', async () => {
  const health = ['health-loading', 'health-loading', 'health-ready']
  await using server = await openReplayServer({ get: { '/health': health } })
  await using model = await createOpenAI({ baseUrl: server.url }).load({})
  expect(model.info.engine).toBe('llama-server')
})

test('a server that loads for too long is given up', async () => {
  await using server = await openReplayServer({ get: { '/health': ['health-loading'] } })
  const backend = createOpenAI({ baseUrl: server.url, readyTimeoutS: 0.05 })
  await expect(backend.load({})).rejects.toMatchObject({
    code: 'backend-unavailable',
    message: expect.stringContaining('still loads its model after 0.05 s'),
  })
})

test('nothing at the address is told in one line', async () => {
  const server = await openReplayServer()
  await server[Symbol.asyncDispose]()
  await expect(createOpenAI({ baseUrl: server.url }).load({})).rejects.toMatchObject({
    code: 'backend-unavailable',
    message: expect.stringMatching(
      /^Nothing answers at http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*\.$/,
    ),
    fix: 'Start the server, or correct baseUrl.',
  })
})

test('a base URL that is none is refused', async () => {
  await expect(createOpenAI({ baseUrl: 'localhost 8080' }).load({})).rejects.toMatchObject({
    code: 'usage-invalid',
  })
})

test('a model that the server does not serve is refused, with the names that it does', async () => {
  await using server = await openReplayServer()
  await expect(createOpenAI({ baseUrl: server.url, model: 'qwen' }).load({})).rejects.toMatchObject(
    {
      code: 'model-missing',
      fix: 'Choose one of: reference-q4_0.gguf.',
    },
  )
})

test('another OpenAI-compatible server works with what it tells', async () => {
  await using server = await openReplayServer({ get: { '/health': [], '/props': [] } })
  const thinkingFields = (thinking: string) => ({ think_mode: thinking })
  await using model = await createOpenAI({ baseUrl: server.url, thinkingFields }).load({})
  expect(model.info).toMatchObject({
    engine: 'OpenAI-compatible server',
    quantization: { status: 'unknown' },
  })
  await collect(model, { thinking: 'low' })
  expect(server.requests[0]).toMatchObject({ think_mode: 'low' })
  expect(server.requests[0]).not.toHaveProperty('cache_prompt')
})

import { describe, expect, test } from 'vitest'
import { type DetectedEngine, detectEngines } from '../../src/detect/index.js'
import * as engines from '../support/engine-routes.js'
import { openRouteServer, type Routes } from '../support/route-server.js'

const told = (reason: string) => ({
  status: 'unknown',
  reason: expect.stringContaining(reason),
})

async function detectOne(routes: Routes): Promise<DetectedEngine | undefined> {
  const { port } = await openRouteServer(routes)
  return (await detectEngines({ ports: [port] }))[0]
}

describe('an engine that can answer', () => {
  test.each<[string, Routes, Partial<DetectedEngine>]>([
    [
      'llama-server',
      engines.llamaServer,
      {
        kind: 'llama-server',
        version: 'b1-80fb11a',
        modelsAvailable: ['reference-q4_0.gguf'],
        modelsLoaded: ['reference-q4_0.gguf'],
      },
    ],
    [
      'llama-server as a router',
      engines.llamaRouter,
      {
        kind: 'llama-server',
        version: 'b1-80fb11a',
        modelsAvailable: ['a', 'b'],
        modelsLoaded: ['b'],
      },
    ],
    [
      'Ollama',
      engines.ollama(['qwen3:8b', 'gemma3:4b'], ['gemma3:4b']),
      {
        kind: 'ollama',
        version: '0.33.0',
        modelsAvailable: ['qwen3:8b', 'gemma3:4b'],
        modelsLoaded: ['gemma3:4b'],
      },
    ],
    [
      'LM Studio',
      engines.lmStudio({ 'qwen/qwen3-4b': true, 'google/gemma-3': false }),
      {
        kind: 'lm-studio',
        modelsAvailable: ['qwen/qwen3-4b', 'google/gemma-3'],
        modelsLoaded: ['qwen/qwen3-4b'],
      },
    ],
    [
      'LM Studio before 0.4',
      engines.oldLmStudio,
      {
        kind: 'lm-studio',
        modelsAvailable: ['qwen3-4b', 'gemma-3'],
        modelsLoaded: ['qwen3-4b'],
      },
    ],
    ['vLLM', engines.vllm, { kind: 'vllm', version: '0.32.0', modelsLoaded: ['Qwen/Qwen3-8B'] }],
    [
      'SGLang',
      engines.sglang('/server_info'),
      { kind: 'sglang', version: '0.5.9', modelsLoaded: ['qwen/qwen2.5-0.5b-instruct'] },
    ],
    [
      'SGLang with the older route',
      engines.sglang('/get_server_info'),
      { kind: 'sglang', version: '0.5.9' },
    ],
    [
      'TensorRT-LLM',
      engines.tensorRtLlm,
      { kind: 'tensorrt-llm', version: '1.4.0rc4', modelsLoaded: ['TinyLlama'] },
    ],
    ['TGI', engines.tgi, { kind: 'tgi', version: '3.3.6', modelsLoaded: ['bigscience/bloom'] }],
    [
      'mlx_lm.server',
      engines.mlxLm('mlx-community/Qwen3-4B-4bit'),
      {
        kind: 'mlx-lm',
        modelsAvailable: ['mlx-community/Qwen3-4B-4bit'],
        modelsLoaded: told('does not tell') as never,
      },
    ],
    [
      'transformers serve',
      engines.transformersServe,
      {
        kind: 'transformers-serve',
        modelsAvailable: ['Qwen/Qwen3-0.6B'],
        modelsLoaded: told('does not tell') as never,
      },
    ],
    [
      'any other server with the OpenAI API',
      engines.plainOpenAi,
      { kind: 'openai', version: told('OpenAI API') as never, modelsAvailable: ['tiny'] },
    ],
  ])('%s is recognised by its own routes and has nothing missing', async (_, routes, expected) => {
    expect(await detectOne(routes)).toMatchObject({ ...expected, missing: [], isLocal: true })
  })
})

describe('an engine that cannot answer yet says what to do', () => {
  const model = (detail: string, fix: string) => ({ what: 'model', detail, fix })

  test.each<[string, Routes, object]>([
    [
      'Ollama without a model',
      engines.ollama([]),
      model('it has no model on this machine', 'ollama pull NAME'),
    ],
    [
      'Ollama with cloud models alone',
      engines.cloudOllama,
      model('it has no model on this machine', 'ollama pull NAME'),
    ],
    ['LM Studio without a model', engines.lmStudio({}), model('it has no model', 'lms get NAME')],
    [
      'LM Studio with nothing loaded',
      engines.lmStudio({ 'qwen/qwen3-4b': false }),
      model('none of its models is loaded', 'lms load qwen/qwen3-4b'),
    ],
    [
      'mlx_lm.server with an empty cache',
      engines.mlxLm(),
      model('its cache has no model', 'hf download NAME'),
    ],
    [
      'a llama-server router without a model',
      {
        ...engines.llamaRouter,
        routes: { ...engines.llamaRouter.routes, '/v1/models': { json: { data: [] } } },
      },
      model('it knows no model', 'llama-server -m MODEL.gguf --port PORT'),
    ],
  ])('%s', async (_, routes, missing) => {
    expect(await detectOne(routes)).toMatchObject({ missing: [missing] })
  })

  test('a llama-server that still loads names the call to wait for', async () => {
    const { port, url } = await openRouteServer(engines.loadingLlamaServer)
    const [engine] = await detectEngines({ ports: [port] })
    expect(engine).toMatchObject({
      kind: 'llama-server',
      modelsAvailable: told('still loads'),
      modelsLoaded: [],
      missing: [
        {
          what: 'readiness',
          detail: 'it still loads its model',
          fix: `Wait until this succeeds: curl --fail ${url}/health`,
        },
      ],
    })
  })

  test.each<[string, Routes, Partial<DetectedEngine>]>([
    ['llama-server', engines.lockedLlamaServer, { kind: 'llama-server' }],
    ['LM Studio', engines.lockedLmStudio, { kind: 'lm-studio' }],
    ['vLLM', engines.lockedVllm, { kind: 'vllm', version: '0.32.0' }],
  ])('%s that wants a key', async (_, routes, expected) => {
    expect(await detectOne(routes)).toMatchObject({
      ...expected,
      modelsAvailable: told('API key'),
      missing: [{ what: 'api-key', fix: expect.stringContaining('ENERGY_BENCH_API_KEY') }],
    })
  })
})

test('a llama-server that sleeps has its model available but not loaded', async () => {
  const props = (engines.llamaServer.routes['/props'] as { json: object }).json
  const routes = {
    ...engines.llamaServer.routes,
    '/props': { json: { ...props, is_sleeping: true } },
  }
  const engine = await detectOne({ ...engines.llamaServer, routes })
  expect(engine).toMatchObject({
    modelsAvailable: ['reference-q4_0.gguf'],
    modelsLoaded: [],
    missing: [],
  })
})

test('a server that only copies the routes of Ollama is not Ollama', async () => {
  const { routes } = engines.ollama(['qwen3:8b'])
  const copy = { ...routes, '/': { text: '<html>Some other engine</html>' } }
  expect(await detectOne({ routes: copy })).toMatchObject({ kind: 'openai' })
})

test('a server for embeddings is not TGI', async () => {
  const info = { model_id: 'BAAI/bge', model_sha: 'x', max_input_length: 512, version: '1.8.0' }
  expect(await detectOne({ routes: { '/info': { json: info } } })).toBeUndefined()
})

test('no engine gets anything but reads, and never a route that generates or loads', async () => {
  const all: Routes[] = [
    engines.llamaServer,
    engines.llamaRouter,
    engines.ollama(['qwen3:8b']),
    engines.lmStudio({ 'qwen/qwen3-4b': false }),
    engines.vllm,
    engines.sglang('/server_info'),
    engines.tgi,
    engines.mlxLm('a'),
    engines.transformersServe,
  ]
  const servers = await Promise.all(all.map(openRouteServer))
  await detectEngines({ ports: servers.map(({ port }) => port) })
  const requests = servers.flatMap((server) => server.requests)
  expect(requests.length).toBeGreaterThan(20)
  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  expect(requests.filter((request) => /health|metrics|generate|load|\?/.test(request))).toEqual([])
})

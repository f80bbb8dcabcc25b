import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connectEngine } from '../../src/connect/index.js'
import * as engines from '../support/engine-routes.js'
import { openRouteServer, type Routes } from '../support/route-server.js'

test.each<[string, Routes]>([
  ['llama-server', engines.llamaServer],
  ['llama-server', engines.loadingLlamaServer],
  ['llama-server', engines.lockedLlamaServer],
  ['ollama', engines.ollama(['qwen3:8b'])],
  ['lm-studio', engines.lmStudio({ 'qwen3-8b': true })],
  ['vllm', engines.vllm],
  ['sglang', engines.sglang('/server_info')],
  ['tgi', engines.tgi],
  ['mlx', engines.mlxLm('mlx-community/Qwen3-8B-4bit')],
  ['transformers-serve', engines.transformersServe],
  ['openai', engines.tensorRtLlm],
  ['openai', engines.plainOpenAi],
])('an address of %s gets its backend', async (id, routes) => {
  const { url, requests } = await openRouteServer(routes)
  await using backend = await connectEngine({ baseUrl: `${url}/v1/` })
  expect(backend.id).toBe(id)
  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
})

test('an address where nobody answers is left to load, which says so', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const baseUrl = `http://127.0.0.1:${port}`
  await using backend = await connectEngine({ baseUrl, readyTimeoutS: 0.01 })
  expect(backend.id).toBe('openai')
  await expect(backend.load({})).rejects.toMatchObject({ code: 'backend-unavailable' })
})

test('a server that never answers is left after its time', async () => {
  const silent = await openRouteServer({ routes: {} })
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  await using backend = await connectEngine({ baseUrl: silent.url, fetch, detectTimeoutS: 0.01 })
  expect(backend.id).toBe('openai')
})

test('what is no web address is refused', async () => {
  await expect(connectEngine({ baseUrl: 'localhost:8080' })).rejects.toMatchObject({
    code: 'usage-invalid',
  })
})

test('an abort rejects with its reason', async () => {
  const reason = new Error('enough')
  const options = { baseUrl: 'http://127.0.0.1:1', signal: AbortSignal.abort(reason) }
  await expect(connectEngine(options)).rejects.toBe(reason)
})

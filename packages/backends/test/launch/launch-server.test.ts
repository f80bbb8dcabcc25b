import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { launchLlamaServer, launchVllm } from '../../src/launch/index.js'
import { collect } from '../support/collect.js'
import { referenceModelPath } from '../support/fixtures.js'

const binary = fileURLToPath(new URL('./fake-llama-server.mjs', import.meta.url))

test('llama-server gets its flags, and the context of all slots together', async () => {
  await using server = await launchLlamaServer({
    binary,
    model: referenceModelPath,
    contextTokens: 1024,
    slots: 4,
    thinking: 'off',
    gpuLayers: 'all',
    flashAttention: 'on',
    threads: 2,
    extraArgs: ['--mlock', '--lora', '/home/somebody/style.gguf'],
  })
  const { port } = new URL(server.baseUrl)
  const flags =
    '-np 4 -c 4096 --reasoning off -ngl all -fa on -t 2 -tb 2 --mlock --lora style.gguf'.split(' ')
  expect(server.flags).toEqual(flags)
  expect(server.args).toEqual([
    ...['-m', referenceModelPath, '--host', '127.0.0.1', '--port', port],
    ...flags.slice(0, -1),
    '/home/somebody/style.gguf',
  ])
})

test('llama-server is left to its own defaults, except one slot, and has a backend', async () => {
  await using server = await launchLlamaServer({ binary, model: referenceModelPath })
  expect(server.flags).toEqual(['-np', '1'])
  await using backend = server.createBackend()
  await using model = await backend.load({})
  expect(model.info).toMatchObject({ engine: 'llama-server', promptCache: 'off' })
  expect(await collect(model)).toMatchObject({ text: '433' })
})

test('a restart keeps what is not changed', async () => {
  const first = await launchLlamaServer({ binary, model: referenceModelPath, slots: 2, threads: 1 })
  await using second = await first.restart({ slots: 8 })
  expect(second.flags.join(' ')).toBe('-np 8 -t 1 -tb 1')
  expect(first.exit()).not.toBeNull()
  await second.createBackend().load({})
})

test('vllm gets its flags and takes models from this machine only', async () => {
  await using server = await launchVllm({
    binary,
    model: 'Qwen/Qwen3-8B',
    maxModelLen: 8192,
    slots: 16,
    cudaGraphs: false,
    extraArgs: ['--seed', '1'],
  })
  expect(server.args.slice(0, 2)).toEqual(['serve', 'Qwen/Qwen3-8B'])
  expect(server.flags.join(' ')).toBe(
    '--max-model-len 8192 --max-num-seqs 16 --enforce-eager --enable-prompt-tokens-details --seed 1',
  )
  expect(await server.lastLogLines()).toEqual(['started with HF_HUB_OFFLINE 1'])
  await using backend = server.createBackend()
  expect(backend.id).toBe('vllm')
})

test('a program that is missing is told with where to get it', async () => {
  const missing = '/nowhere/engine'
  await expect(
    launchLlamaServer({ binary: missing, model: referenceModelPath }),
  ).rejects.toMatchObject({
    code: 'backend-unavailable',
    fix: expect.stringContaining('give the path of llama-server as binary'),
  })
  await expect(launchVllm({ binary: missing, model: 'x' })).rejects.toMatchObject({
    code: 'backend-unavailable',
    fix: 'Run: pip install vllm, or give the path of vllm as binary.',
  })
})

test('a model file that is missing is told before anything starts', async () => {
  await expect(launchLlamaServer({ binary, model: '/nowhere/x.gguf' })).rejects.toMatchObject({
    code: 'model-missing',
    message: 'There is no model file /nowhere/x.gguf.',
  })
})

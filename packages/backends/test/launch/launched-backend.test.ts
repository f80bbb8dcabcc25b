import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchedBackend, launchedLlamaServer, launchLlamaServer } from '../../src/launch/index.js'
import { collect } from '../support/collect.js'
import { referenceModelPath as path } from '../support/fixtures.js'
import { runs } from './fake-engine.js'

const binary = fileURLToPath(new URL('./fake-llama-server.mjs', import.meta.url))

let logPath: string

beforeAll(async () => {
  logPath = join(await mkdtemp(join(tmpdir(), 'energy-bench-test-')), 'engine.log')
})

afterAll(async () => {
  await rm(join(logPath, '..'), { recursive: true })
})

/** A launched backend that tells which processes it started. */
function createWatched(env: Readonly<Record<string, string>> = {}) {
  const processIds: number[] = []
  const { id, supports } = launchedLlamaServer({})
  const backend = launchedBackend({
    id,
    supports,
    async launch({ signal }) {
      const server = await launchLlamaServer({ binary, model: path, env, signal })
      processIds.push(server.processId)
      return server
    },
  })
  const running = async () =>
    (await Promise.all(processIds.map(runs))).filter((isRunning) => isRunning).length
  return { backend, running }
}

test('an engine starts with its model and stops with it', async () => {
  const { backend, running } = createWatched()
  const model = await backend.load({})
  expect(await running()).toBe(1)
  expect((await collect(model)).text).toBe('433')
  await model[Symbol.asyncDispose]()
  expect(await running()).toBe(0)
})

test('a backend that is disposed stops every engine, and starts no other', async () => {
  const { backend, running } = createWatched()
  await backend.load({})
  await backend.load({})
  expect(await running()).toBe(2)
  await backend[Symbol.asyncDispose]()
  expect(await running()).toBe(0)
  await expect(backend.load({})).rejects.toThrow('was used after it was disposed')
})

test('a model tells when it was loaded, and its flags in place of the address', async () => {
  await using backend = launchedLlamaServer({ binary, slots: 2 })
  const settings = []
  for (const contextTokens of [256, 256, 512]) {
    await using model = await backend.load({ path }, { contextTokens })
    const { startS = 0, endS = 0 } = model.loading ?? {}
    expect(endS).toBeGreaterThan(startS)
    settings.push(model.info.settings)
  }
  expect(settings).toEqual([
    { cachePrompt: false, launchFlags: '-np 2 -c 512' },
    { cachePrompt: false, launchFlags: '-np 2 -c 512' },
    { cachePrompt: false, launchFlags: '-np 2 -c 1024' },
  ])
})

test('a point whose engine does not start is an error with its log, and the next point runs', async () => {
  const results: unknown[] = []
  for (const death of ['start', 'never']) {
    await using backend = launchedLlamaServer({ binary, logPath, env: { FAKE_DEATH: death } })
    try {
      await using model = await backend.load({ path })
      results.push((await collect(model)).text)
    } catch (error) {
      results.push(error)
    }
  }
  expect(results).toMatchObject([
    {
      code: 'backend-unavailable',
      message: expect.stringMatching(
        /ended with code 1 before it was ready\. Its last lines:\n.*\n {2}error: failed to allocate 99 GB$/,
      ),
    },
    '433',
  ])
})

test('an engine that dies while it answers is told with its last lines', async () => {
  await using backend = launchedLlamaServer({ binary, logPath, env: { FAKE_DEATH: 'answer' } })
  await using model = await backend.load({ path })
  for (const _ of [1, 2]) {
    await expect(collect(model)).rejects.toMatchObject({
      code: 'backend-unavailable',
      message: expect.stringMatching(
        /^llama-server ended with code 134 while it was used\.[\s\S]*CUDA error: out of memory$/,
      ),
      isRetryable: false,
    })
  }
})

test('a name that the engine does not serve is refused, and its engine stopped', async () => {
  const { backend, running } = createWatched()
  await expect(backend.load({ id: 'gpt-9' })).rejects.toMatchObject({ code: 'model-missing' })
  expect(await running()).toBe(0)
})

test('a load that is aborted rejects with the reason', async () => {
  const { backend, running } = createWatched()
  const reason = new Error('enough')
  await expect(backend.load({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(await running()).toBe(0)
})

test('a load without a model is refused', async () => {
  await using backend = launchedLlamaServer({ binary })
  await expect(backend.load({})).rejects.toMatchObject({ code: 'usage-invalid' })
})

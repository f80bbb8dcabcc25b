import process from 'node:process'
import type { Backend } from '@energy-bench/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectEngine } from '../../src/connect/index.js'
import { backendContract } from '../../src/contract/index.js'
import { createLlamaServer } from '../../src/llama-server/index.js'
import { createOpenAI } from '../../src/openai/index.js'
import { recordExchanges } from '../../src/recording/index.js'
import { withRetries } from '../../src/retries/with-retries.js'
import { hashFile } from '../../src/shared/hash-file.js'
import { ask, collect } from '../support/collect.js'
import { referenceModelPath } from '../support/fixtures.js'
import { type RealLlamaServer, startRealLlamaServer } from '../support/real-llama-server.js'
import { testTemplates } from './template-checks.js'

const makers: Readonly<Record<string, (options: { baseUrl: string }) => Backend>> = {
  createLlamaServer,
  createOpenAI,
  'createLlamaServer with a recorder': (options) =>
    createLlamaServer({ ...options, fetch: recordExchanges().fetch }),
  'createLlamaServer with retries': (options) => withRetries(createLlamaServer(options)),
}

/** `npm run build:llama-server` makes one. */
const binary = process.env.LLAMA_SERVER ?? ''

/** Slots of the server, and as many contracts that run against it at once. */
const concurrencies = [1, 8]

// Without a binary the tests elsewhere replay recorded answers.
const name = binary === '' ? 'needs npm run build:llama-server' : 'here'
describe.runIf(binary !== '')(`a real llama-server (${name})`, () => {
  describe.each(concurrencies)('with %i slots', (slots) => {
    let server: RealLlamaServer

    beforeAll(async () => {
      server = await startRealLlamaServer(binary, { slots })
    })

    afterAll(async () => {
      await server[Symbol.asyncDispose]()
    })

    describe.each(Object.entries(makers))('keeps the contract through %s', (_, make) => {
      const create = () => make({ baseUrl: server.url })
      const suites = Array.from({ length: slots }, () => backendContract({ create, model: {} }))
      for (const [index, check] of (suites[0] ?? []).entries()) {
        test(check.name, async () => {
          await Promise.all(suites.map((suite) => suite[index]?.run()))
        })
      }
    })

    test('answers as many questions at once as it has slots, each by itself', async () => {
      await using model = await createLlamaServer({ baseUrl: server.url }).load({})
      const sums = Array.from({ length: slots }, (_, index) => 300 + index)
      const answers = await Promise.all(
        sums.map((sum) =>
          collect(model, { ...ask(`What is ${sum} + 86?`), thinking: 'off', temperature: 0 }),
        ),
      )
      expect(answers.map(({ end }) => end.inputTokens)).toEqual(sums.map(() => 25))
      expect(answers.every(({ text }) => /^\d+$/.test(text))).toBe(true)
    })
  })

  test('is described by what it says of itself', async () => {
    await using server = await startRealLlamaServer(binary)
    await using model = await createLlamaServer({ baseUrl: server.url }).load({})
    expect(model.info).toMatchObject({
      engine: 'llama-server',
      quantization: 'Q4_0',
      contextTokens: 1024,
      slots: 1,
      modelDigest: await hashFile(referenceModelPath),
      processId: server.processId,
      promptCache: 'off',
    })
  })

  test('thinking can be switched, and a repeated prompt is not cached', async () => {
    await using server = await startRealLlamaServer(binary)
    await using backend = await connectEngine({ baseUrl: server.url })
    await using model = await backend.load({})
    const on = await collect(model, { thinking: 'on' })
    expect(on).toMatchObject({ text: '433', thinking: expect.stringContaining('433') })
    for (const _ of [1, 2]) {
      const off = await collect(model, { thinking: 'off' })
      expect(off).toMatchObject({ text: '433', thinking: '' })
      expect(off.end).toMatchObject({ inputTokens: 25, cachedInputTokens: 0, thinkingTokens: 0 })
    }
  })

  test('that is killed cuts the answer, and is unavailable from then on', async () => {
    await using server = await startRealLlamaServer(binary)
    const { url: baseUrl } = server
    await using model = await createLlamaServer({ baseUrl }).load({})
    const run = async () => {
      for await (const event of model.generate({ ...ask('What is 347 + 86?'), thinking: 'on' })) {
        if (event.type !== 'end') await server[Symbol.asyncDispose]()
      }
    }
    await expect(run()).rejects.toMatchObject({ code: 'stream-cut', isRetryable: true })
    await expect(createLlamaServer({ baseUrl }).load({})).rejects.toMatchObject({
      code: 'backend-unavailable',
    })
  })

  testTemplates(binary)
})

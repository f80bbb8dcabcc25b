import type { GenerateEvent } from '@energy-bench/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createLlamaServer } from '../../src/llama-server/index.js'
import { createOpenAI } from '../../src/openai/index.js'
import { recordExchanges } from '../../src/recording/index.js'
import { hashFile } from '../../src/shared/hash-file.js'
import { ask, type Collected, collect, collectEvents } from '../support/collect.js'
import { referenceModelPath } from '../support/fixtures.js'
import {
  describeRealLlamaServer,
  type RealLlamaServer,
  startRealLlamaServer,
} from '../support/real-llama-server.js'

const backends = [
  ['createLlamaServer', createLlamaServer],
  ['createOpenAI', createOpenAI],
] as const

const slotCounts = [1, 8] as const

const kinds = backends.flatMap(([name, create]) =>
  slotCounts.map((slots) => ({ name, create, slots })),
)

describeRealLlamaServer('a real llama-server', () => {
  describe.each(kinds)('with $slots slots behind $name', ({ create, slots }) => {
    let server: RealLlamaServer

    beforeAll(async () => {
      server = await startRealLlamaServer({ slots })
    })

    afterAll(async () => {
      await server[Symbol.asyncDispose]()
    })

    const options = { create: () => create({ baseUrl: server.url }), model: {} }
    for (const check of backendContract(options)) test(check.name, check.run)

    test('is described by what it says of itself', async () => {
      await using model = await create({ baseUrl: server.url }).load({})
      expect(model.info).toMatchObject({
        engine: 'llama-server',
        quantization: 'Q4_0',
        contextTokens: 1024,
        slots,
        modelDigest: await hashFile(referenceModelPath),
        processId: server.processId,
      })
    })

    test('eight generations at once are all answered, as many at a time as there are slots', async () => {
      await using model = await create({ baseUrl: server.url }).load({})
      const { answers, mostAtOnce } = await watchAll(
        Array.from({ length: 8 }, (_, index) =>
          model.generate({ ...ask(`What is ${index + 347} + 86?`), thinking: 'on' }),
        ),
      )
      expect(mostAtOnce).toBe(slots)
      for (const { text, thinking, end } of answers) {
        expect(text).toMatch(/^\d+$/)
        expect(thinking).not.toBe('')
        expect(end).toMatchObject({ cachedInputTokens: 0, finishReason: 'stop' })
      }
    })

    test('thinking can be switched, and a repeated prompt is not cached', async () => {
      await using model = await create({ baseUrl: server.url }).load({})
      const on = await collect(model, { thinking: 'on' })
      expect(on).toMatchObject({ text: '433', thinking: expect.stringContaining('433') })
      for (const _ of [1, 2]) {
        const off = await collect(model, { thinking: 'off' })
        expect(off).toMatchObject({ text: '433', thinking: '' })
        expect(off.end).toMatchObject({ inputTokens: 25, cachedInputTokens: 0, thinkingTokens: 0 })
      }
    })
  })

  describe('behind a recorder', () => {
    let server: RealLlamaServer

    beforeAll(async () => {
      server = await startRealLlamaServer()
    })

    afterAll(async () => {
      await server[Symbol.asyncDispose]()
    })

    const create = () => createLlamaServer({ baseUrl: server.url, fetch: recordExchanges().fetch })
    for (const check of backendContract({ create, model: {} })) test(check.name, check.run)
  })

  test.each(backends)(
    'that is killed is a failed answer, then an unavailable backend, for %s',
    async (_, create) => {
      await using server = await startRealLlamaServer()
      const backend = create({ baseUrl: server.url })
      await using model = await backend.load({})
      const run = async () => {
        for await (const _event of model.generate(ask('What is 347 + 86?'))) server.kill()
      }
      await expect(run()).rejects.toMatchObject({ code: 'stream-cut', isRetryable: true })
      await expect(backend.load({})).rejects.toMatchObject({ code: 'backend-unavailable' })
    },
  )
})

/** Runs streams together and counts how many of them gave output at the same time. */
async function watchAll(
  streams: readonly AsyncIterable<GenerateEvent>[],
): Promise<{ readonly answers: readonly Collected[]; readonly mostAtOnce: number }> {
  const running = new Set<AsyncIterable<GenerateEvent>>()
  let mostAtOnce = 0
  async function* watch(stream: AsyncIterable<GenerateEvent>) {
    for await (const event of stream) {
      if (event.type === 'end') running.delete(stream)
      else running.add(stream)
      mostAtOnce = Math.max(mostAtOnce, running.size)
      yield event
    }
  }
  const answers = await Promise.all(streams.map((stream) => collectEvents(watch(stream))))
  return { answers, mostAtOnce }
}

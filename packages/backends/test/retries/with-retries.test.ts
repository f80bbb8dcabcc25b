import { EnergyBenchError } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createFakeBackend } from '../../src/fake/index.js'
import { type FailedAttempt, withRetries } from '../../src/index.js'
import { collect } from '../support/collect.js'

describe('a retrying backend keeps the contract', () => {
  const create = () =>
    withRetries(createFakeBackend({ answer: 'one two three four five six', models: ['tiny'] }))
  for (const check of backendContract({ create, model: { id: 'tiny' } }))
    test(check.name, check.run)
})

/** A fake whose first generations fail, and a diary of the pauses. */
async function open(errors: readonly Error[], options = {}) {
  const pauses: number[] = []
  const failed: FailedAttempt[] = []
  const inner = createFakeBackend()
  let calls = 0
  const backend = withRetries(
    {
      ...inner,
      load: async (ref) => {
        const model = await inner.load(ref)
        return {
          ...model,
          async *generate(request) {
            calls += 1
            const error = errors[calls - 1]
            if (error !== undefined) throw error
            yield* model.generate(request)
          },
        }
      },
    },
    {
      sleep: async (durationS) => void pauses.push(durationS),
      onRetry: (attempt) => failed.push(attempt),
      ...options,
    },
  )
  return { model: await backend.load({}), pauses, failed, calls: () => calls }
}

const cut = new EnergyBenchError('stream-cut', 'It broke.')
const busy = new EnergyBenchError('backend-busy', 'Later.', { retryAfterS: 7 })

test('errors that pass are tried again, with pauses that double', async () => {
  const { model, pauses, failed } = await open([cut, cut])
  expect((await collect(model)).text).toBe('ok')
  expect(pauses).toEqual([1, 2])
  expect(failed).toMatchObject([
    { attempt: 1, waitS: 1, error: cut, durationS: expect.any(Number) },
    { attempt: 2, waitS: 2, error: cut },
  ])
})

test('the pause that the engine asks for is kept, up to a limit', async () => {
  const { model, pauses } = await open([busy, busy], { maxWaitS: 5 })
  await collect(model)
  expect(pauses).toEqual([5, 5])
  const patient = await open([busy])
  await collect(patient.model)
  expect(patient.pauses).toEqual([7])
})

test('the last error comes through when all attempts are used up', async () => {
  const { model, calls } = await open([cut, cut, busy])
  await expect(collect(model)).rejects.toBe(busy)
  expect(calls()).toBe(3)
})

test('errors that stay are not tried again', async () => {
  const lasting = new EnergyBenchError('prompt-too-long', 'Too long.')
  const { model, calls } = await open([lasting])
  await expect(collect(model)).rejects.toBe(lasting)
  expect(calls()).toBe(1)
})

test('an answer that has begun is never repeated', async () => {
  const inner = createFakeBackend({ answer: 'one two' })
  let calls = 0
  const breaking = withRetries({
    ...inner,
    load: async (ref) => {
      const model = await inner.load(ref)
      return {
        ...model,
        async *generate(request) {
          calls += 1
          for await (const event of model.generate(request)) {
            if (event.type === 'end') throw cut
            yield event
          }
        },
      }
    },
  })
  await using model = await breaking.load({})
  await expect(collect(model)).rejects.toBe(cut)
  expect(calls).toBe(1)
})

test('an abort during a pause rejects with the reason', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const { model } = await open([cut], {
    sleep: async (_: number, signal?: AbortSignal) => {
      controller.abort(reason)
      signal?.throwIfAborted()
    },
  })
  await expect(collect(model, { signal: controller.signal })).rejects.toBe(reason)
})

test('a load is tried again as well', async () => {
  const inner = createFakeBackend()
  let loads = 0
  const backend = withRetries(
    {
      ...inner,
      load: async (ref) => {
        loads += 1
        if (loads === 1) throw new EnergyBenchError('backend-unavailable', 'Not yet.')
        return inner.load(ref)
      },
    },
    { sleep: async () => {} },
  )
  expect((await backend.load({})).info.engine).toBe('fake')
})

import { describe, expect, test } from 'vitest'
import { assertBackendContract, backendContract } from '../../src/contract/index.js'
import { createFakeBackend } from '../../src/fake/index.js'
import { withRetries } from '../../src/index.js'
import { brokenBackends } from './broken-backends.js'
import { goodBackend, withEvents } from './change-backend.js'

const model = { id: 'tiny' }

describe('the fake backend', () => {
  for (const check of backendContract({ create: goodBackend, model })) test(check.name, check.run)
})

describe('a backend that records what passes through it', () => {
  const create = () =>
    withEvents(async function* (events) {
      const seen: string[] = []
      for await (const event of events) {
        seen.push(event.type)
        yield event
      }
    })
  for (const check of backendContract({ create, model })) test(check.name, check.run)
})

describe('a backend that tries again', () => {
  const create = () => withRetries(goodBackend())
  for (const check of backendContract({ create, model, concurrency: 8 }))
    test(check.name, check.run)
})

describe('each broken backend fails its own check and no other', () => {
  const names = backendContract({ create: goodBackend, model }).map((check) => check.name)

  test('there is one broken backend a check', () => {
    expect(Object.keys(brokenBackends).sort()).toEqual([...names].sort())
  })

  test.each(Object.entries(brokenBackends))('%s', async (name, create) => {
    const failed: string[] = []
    for (const check of backendContract({ create, model, timeoutS: 5 })) {
      await check.run().catch(() => failed.push(check.name))
    }
    expect(failed).toEqual([name])
  })
})

describe('assertBackendContract', () => {
  test('resolves for a backend that keeps every promise', async () => {
    await expect(assertBackendContract({ create: goodBackend, model })).resolves.toBeUndefined()
  })

  test('names all breaches at once', async () => {
    const create = () => ({ ...createFakeBackend({ answer: 'one two three' }), id: 'My Engine' })
    await expect(assertBackendContract({ create, model })).rejects.toMatchObject({
      code: 'contract-violated',
      message: expect.stringMatching(/2 of 30 .*names itself.*rejects a model/),
    })
  })

  test('a check that hangs fails after its limit', async () => {
    const create = () => createFakeBackend({ tokenS: 1000, models: ['tiny'] })
    const checks = backendContract({ create, model, timeoutS: 0.05 })
    const check = checks.find(({ name }) => name.startsWith('holds the limit'))
    await expect(check?.run()).rejects.toThrow('no result within 0.05 s')
  })
})

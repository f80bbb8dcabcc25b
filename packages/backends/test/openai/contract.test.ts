import { afterAll, beforeAll, describe, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createOpenAI } from '../../src/openai/index.js'
import { recordExchanges } from '../../src/recording/index.js'
import { openReplayServer, type ReplayServer } from '../support/replay-server.js'

describe('the openai backend against recorded answers of llama-server', () => {
  let server: ReplayServer

  beforeAll(async () => {
    server = await openReplayServer()
  })

  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const makers = {
    'by itself': () => createOpenAI({ baseUrl: server.url }),
    'while it is recorded': () =>
      createOpenAI({ baseUrl: server.url, fetch: recordExchanges().fetch }),
  }
  describe.each(Object.entries(makers))('%s', (_, create) => {
    for (const check of backendContract({ create, model: {} })) test(check.name, check.run)
  })
})

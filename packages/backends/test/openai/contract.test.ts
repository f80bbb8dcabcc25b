import { afterAll, beforeAll, describe, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createOpenAI } from '../../src/openai/index.js'
import { openReplayServer, type ReplayServer } from '../support/replay-server.js'

describe('the openai backend against recorded answers of llama-server', () => {
  let server: ReplayServer

  beforeAll(async () => {
    server = await openReplayServer()
  })

  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const checks = backendContract({ create: () => createOpenAI({ baseUrl: server.url }), model: {} })
  for (const check of checks) test(check.name, check.run)
})

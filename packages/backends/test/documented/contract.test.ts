import type { Backend } from '@energy-bench/spec'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createLmStudio } from '../../src/lm-studio/index.js'
import { createMlx } from '../../src/mlx/index.js'
import { createSglang } from '../../src/sglang/index.js'
import { createTgi } from '../../src/tgi/index.js'
import { createTransformersServe } from '../../src/transformers-serve/index.js'
import { createVllm } from '../../src/vllm/index.js'
import { openDocumentedServer } from '../support/documented-server.js'
import type { TestServer } from '../support/test-server.js'

const engines: Readonly<Record<string, (options: { baseUrl: string }) => Backend>> = {
  vllm: createVllm,
  sglang: createSglang,
  'lm-studio': createLmStudio,
  tgi: createTgi,
  mlx: createMlx,
  'transformers-serve': createTransformersServe,
}

describe.each(Object.entries(engines))('%s, by its documented answers', (name, create) => {
  let server: TestServer

  beforeAll(async () => {
    server = await openDocumentedServer(name)
  })

  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const checks = backendContract({ create: () => create({ baseUrl: server.url }), model: {} })
  for (const check of checks) test(check.name, check.run)
})

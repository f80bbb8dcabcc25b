import { describe, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createLlamaCpp } from '../../src/llama-cpp/index.js'
import { referenceModelPath } from '../support/fixtures.js'

describe('llama-cpp with the reference model', () => {
  const checks = backendContract({
    create: () => createLlamaCpp({ gpu: false }),
    model: { path: referenceModelPath },
  })
  for (const check of checks) test(check.name, check.run)
})

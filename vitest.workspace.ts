import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findCachedBinary } from './scripts/llama-server/cached-binary.js'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  test: {
    env: { LLAMA_SERVER: process.env.LLAMA_SERVER ?? findCachedBinary(root) ?? '' },
    projects: [
      {
        extends: true,
        test: { name: 'packages', include: ['packages/*/test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'workspace',
          include: ['scripts/**/*.test.ts', 'examples/*.test.ts', 'benchmarks/**/*.test.ts'],
        },
      },
    ],
    testTimeout: 30_000,
  },
})

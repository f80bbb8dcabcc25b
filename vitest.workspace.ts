import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findCachedBinary } from './scripts/llama-server/cached-binary.js'

const root = fileURLToPath(new URL('.', import.meta.url))
/** What `npm run build:llama-server` built, unless a path is given; without one the tests of real engines are skipped. */
const llamaServer = process.env.LLAMA_SERVER ?? findCachedBinary(root)

export default defineConfig({
  test: {
    env: llamaServer === undefined ? {} : { LLAMA_SERVER: llamaServer },
    projects: [
      {
        extends: true,
        test: { name: 'packages', include: ['packages/*/test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'workspace',
          include: ['scripts/**/*.test.ts', 'examples/**/*.test.ts', 'benchmarks/**/*.test.ts'],
        },
      },
    ],
    testTimeout: 30_000,
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
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

import { defineConfig } from 'tsup'

export default defineConfig({
  // The worker is started by its URL next to the built index, and so is the guard of a power limit: each is an entry of its own.
  entry: {
    index: 'src/index.ts',
    fake: 'src/fake.ts',
    contract: 'src/contract/index.ts',
    worker: 'src/worker.ts',
    guard: 'src/knobs/guard.ts',
  },
  format: ['esm'],
  dts: {
    entry: { index: 'src/index.ts', fake: 'src/fake.ts', contract: 'src/contract/index.ts' },
  },
  clean: true,
  sourcemap: true,
  target: 'node20',
})

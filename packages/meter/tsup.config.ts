import { defineConfig } from 'tsup'

export default defineConfig({
  // The worker is started by its URL next to the built index, so it must be an entry of its own.
  entry: ['src/index.ts', 'src/fake.ts', 'src/worker.ts'],
  format: ['esm'],
  dts: { entry: ['src/index.ts', 'src/fake.ts'] },
  clean: true,
  sourcemap: true,
  target: 'node20',
})

import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'llama-cpp': 'src/llama-cpp/index.ts',
    openai: 'src/openai/index.ts',
    detect: 'src/detect/index.ts',
    'chat-template': 'src/chat-template/index.ts',
    contract: 'src/contract/index.ts',
    fake: 'src/fake/index.ts',
  },
  format: ['esm'],
  dts: true,
  clean: true,
  sourcemap: true,
  target: 'node20',
})

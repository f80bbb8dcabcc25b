import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'llama-cpp': 'src/llama-cpp/index.ts',
    'llama-server': 'src/llama-server/index.ts',
    ollama: 'src/ollama/index.ts',
    openai: 'src/openai/index.ts',
    detect: 'src/detect/index.ts',
    'chat-template': 'src/chat-template/index.ts',
    vllm: 'src/vllm/index.ts',
    sglang: 'src/sglang/index.ts',
    'lm-studio': 'src/lm-studio/index.ts',
    tgi: 'src/tgi/index.ts',
    mlx: 'src/mlx/index.ts',
    'transformers-serve': 'src/transformers-serve/index.ts',
    recording: 'src/recording/index.ts',
    launch: 'src/launch/index.ts',
    arrival: 'src/arrival/index.ts',
    contract: 'src/contract/index.ts',
    fake: 'src/fake/index.ts',
  },
  format: ['esm'],
  dts: true,
  clean: true,
  sourcemap: true,
  target: 'node20',
})

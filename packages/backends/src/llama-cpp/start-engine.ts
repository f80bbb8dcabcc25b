import { EnergyBenchError } from '@energy-bench/spec'
import type { Llama } from 'node-llama-cpp'
import { messageOf } from '../shared/backend-errors.js'
import type { NativeModule } from './import-native.js'

/** Starting llama.cpp takes a child process and most of a second, so a process does it once for each kind. */
const engines = new Map<'auto' | false, Promise<Llama>>()

/** The llama.cpp of this process; it holds no model and is never disposed. */
export async function startEngine(native: NativeModule, gpu: 'auto' | false): Promise<Llama> {
  const engine = engines.get(gpu) ?? openEngine(native, gpu)
  engines.set(gpu, engine)
  try {
    return await engine
  } catch (cause) {
    engines.delete(gpu)
    throw new EnergyBenchError(
      'backend-unavailable',
      `llama.cpp cannot start: ${messageOf(cause)}.`,
      {
        fix: 'Install the prebuilt binary of this platform with: npm install node-llama-cpp@3.21.1',
        cause,
        isRetryable: false,
      },
    )
  }
}

function openEngine(native: NativeModule, gpu: 'auto' | false): Promise<Llama> {
  return native.getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: native.LlamaLogLevel.disabled,
  })
}

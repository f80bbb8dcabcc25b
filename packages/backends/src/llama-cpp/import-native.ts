import { EnergyBenchError } from '@energy-bench/spec'

/** The module `node-llama-cpp`. */
export type NativeModule = typeof import('node-llama-cpp')

/** Imports node-llama-cpp on first use, so that other backends work without it; `load` is for tests. */
export async function importNative(
  load: () => Promise<NativeModule> = () => import('node-llama-cpp'),
): Promise<NativeModule> {
  try {
    return await load()
  } catch (cause) {
    throw new EnergyBenchError('backend-unavailable', 'node-llama-cpp cannot be loaded.', {
      fix: 'Run: npm install node-llama-cpp@3.21.1',
      cause,
      isRetryable: false,
    })
  }
}

import { createVllm } from '../vllm/index.js'
import {
  flag,
  type LaunchedServer,
  launchServer,
  type ServerLaunchOptions,
} from './launch-server.js'

/** Which vLLM to start on which model. What is left out is vLLM's own default. */
export interface LaunchVllmOptions extends ServerLaunchOptions {
  /** Folder of a model, or the name of one that is in the local cache. */
  readonly model: string
  /** Default `vllm` on the PATH. */
  readonly binary?: string
  /** Longest prompt and answer together, `--max-model-len`. */
  readonly maxModelLen?: number
  /** Requests that it works on at once, `--max-num-seqs`. */
  readonly slots?: number
  /** False runs every step eagerly. */
  readonly cudaGraphs?: boolean
  /** Passed to `createBackend`. Default false. */
  readonly cachePrompt?: boolean
}

/** A vLLM that was started here. */
export type LaunchedVllm = LaunchedServer<LaunchVllmOptions>

/** Models come from this machine only, and nothing is reported to anybody. */
const offline = { HF_HUB_OFFLINE: '1', VLLM_NO_USAGE_STATS: '1' }

/**
 * Starts `vllm serve` and waits until it has loaded its model.
 *
 * @example
 * await using server = await launchVllm({ model: 'Qwen/Qwen3-8B', cudaGraphs: false, maxModelLen: 8192 })
 */
export async function launchVllm(options: LaunchVllmOptions): Promise<LaunchedVllm> {
  const { model, binary = 'vllm', cachePrompt = false } = options
  return launchServer(options, {
    command: binary,
    missingFix: 'Run: pip install vllm, or give the path of vllm as binary.',
    env: offline,
    // Its workers give the memory of their GPUs back.
    stopGraceS: 30,
    model: ['serve', model],
    flags: [
      ...flag('--max-model-len', options.maxModelLen),
      ...flag('--max-num-seqs', options.slots),
      ...(options.cudaGraphs === false ? ['--enforce-eager'] : []),
      '--enable-prompt-tokens-details',
    ],
    createBackend: (baseUrl) => createVllm({ baseUrl, cachePrompt }),
    launch: launchVllm,
  })
}

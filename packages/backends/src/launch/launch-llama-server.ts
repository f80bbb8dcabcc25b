import { access } from 'node:fs/promises'
import { EnergyBenchError } from '@energy-bench/spec'
import { createLlamaServer } from '../llama-server/index.js'
import {
  flag,
  type LaunchedServer,
  launchServer,
  type ServerLaunchOptions,
} from './launch-server.js'

/** Which llama-server to start on which weights. What is left out is llama-server's own default, except `slots`. */
export interface LaunchLlamaServerOptions extends ServerLaunchOptions {
  /** Path of a GGUF file. */
  readonly model: string
  /** Default `llama-server` on the PATH. */
  readonly binary?: string
  /** Context of one slot. */
  readonly contextTokens?: number
  /** Requests that it works on at once. Default 1. */
  readonly slots?: number
  /** Thinking where a request does not say it. */
  readonly thinking?: 'off' | 'on'
  readonly gpuLayers?: number | 'auto' | 'all'
  readonly flashAttention?: 'off' | 'on' | 'auto'
  /** Threads of both prefill and decode. */
  readonly threads?: number
  /** Passed to `createBackend`. Default false. */
  readonly cachePrompt?: boolean
}

/** A llama-server that was started here. */
export type LaunchedLlamaServer = LaunchedServer<LaunchLlamaServerOptions>

/**
 * Starts llama.cpp's server and waits until it has loaded its model.
 *
 * @example
 * await using server = await launchLlamaServer({ model: 'qwen3-8b-q4_k_m.gguf', slots: 8, gpuLayers: 'all' })
 * await using model = await server.createBackend().load({})
 */
export async function launchLlamaServer(
  options: LaunchLlamaServerOptions,
): Promise<LaunchedLlamaServer> {
  const { model, binary = 'llama-server', cachePrompt = false } = options
  await checkModelFile(model)
  return launchServer(options, {
    command: binary,
    missingFix:
      'Install llama.cpp (https://github.com/ggml-org/llama.cpp/releases), or give the path of llama-server as binary.',
    // Asked to end just after a request was aborted, it may wait for ever, and it has nothing to lose.
    stopGraceS: 2,
    model: ['-m', model],
    flags: llamaServerFlags(options),
    createBackend: (baseUrl) => createLlamaServer({ baseUrl, cachePrompt }),
    launch: launchLlamaServer,
  })
}

async function checkModelFile(path: string): Promise<void> {
  await access(path).catch((cause: unknown) => {
    throw new EnergyBenchError('model-missing', `There is no model file ${path}.`, {
      fix: 'Give the path of a GGUF file that is on this machine.',
      cause,
    })
  })
}

/** `-c` is the context of all slots together; each gets the same share. */
function llamaServerFlags(options: LaunchLlamaServerOptions): readonly string[] {
  const { contextTokens, slots = 1, threads } = options
  return [
    ...flag('-np', slots),
    ...flag('-c', contextTokens === undefined ? undefined : contextTokens * slots),
    ...flag('--reasoning', options.thinking),
    ...flag('-ngl', options.gpuLayers),
    ...flag('-fa', options.flashAttention),
    ...flag('-t', threads),
    ...flag('-tb', threads),
  ]
}

import type { Backend } from '@energy-bench/spec'
import type { Ollama } from 'ollama'
import { createCheckedFetch } from '../server/checked-fetch.js'
import {
  createServerBackend,
  type Server,
  type ServerModel,
  type WantedModel,
} from '../server/create-server-backend.js'
import { createRequestDeadline } from '../server/request-deadline.js'
import type { PromptCacheOptions, ServerOptions } from '../server/server-options.js'
import { createChatStream } from './chat-stream.js'
import { contextTokensOf, describeModel } from './describe-model.js'
import { type LoadedFacts, loadModel } from './load-model.js'
import { samplingOf } from './sampling.js'

/** Which Ollama, and how to use it. */
export interface OllamaOptions extends Partial<ServerOptions>, PromptCacheOptions {
  /** Context when `load` names none. Default: what the server takes. */
  readonly contextTokens?: number
  /** How long the model stays loaded after a request, in Ollama's words. Default `30m`. */
  readonly keepAlive?: string
}

const defaultUrl = 'http://127.0.0.1:11434'

/** Loading a large model from a disk takes minutes. */
const defaultReadyTimeoutS = 300

/**
 * Makes a backend for an Ollama that runs already. It loads models and never pulls one.
 *
 * @example
 * await using model = await createOllama().load({ id: 'qwen3:8b' })
 */
export function createOllama(options: OllamaOptions = {}): Backend {
  const { cachePrompt = false, keepAlive = '30m', contextTokens } = options
  const settings = { cachePrompt, keepAlive, contextTokens }
  const engine = {
    id: 'ollama',
    // A prefix that is new each time makes another prompt of the same question.
    supports: { seed: cachePrompt, concurrency: true, thinking: true },
    connect: (server: Server, wanted: WantedModel) => connect(server, wanted, settings),
  }
  const defaults = { baseUrl: defaultUrl, readyTimeoutS: defaultReadyTimeoutS }
  return createServerBackend(engine, { ...defaults, ...options })
}

interface Settings {
  readonly cachePrompt: boolean
  readonly keepAlive: string
  readonly contextTokens: number | undefined
}

async function connect(
  server: Server,
  wanted: WantedModel,
  settings: Settings,
): Promise<ServerModel> {
  const url = server.address.rootUrl
  const limits = { timeoutS: server.readyTimeoutS, url, stops: [wanted.signal] }
  using deadline = createRequestDeadline(limits)
  try {
    const client = await openClient(server, deadline.signal)
    const contextTokens = wanted.contextTokens ?? settings.contextTokens
    const { keepAlive } = settings
    const facts = await loadModel(client, { id: wanted.id, keepAlive, contextTokens, url })
    return await createModel(server, facts, { ...settings, contextTokens })
  } catch (error) {
    deadline.signal.throwIfAborted()
    throw error
  }
}

async function openClient(server: Server, signal: AbortSignal): Promise<Ollama> {
  const { Ollama } = await import('ollama')
  const checked = createCheckedFetch(server.fetch)
  return new Ollama({
    host: server.address.rootUrl,
    headers: server.headers,
    fetch: (input, init) => checked(input, { ...init, signal }),
  })
}

async function createModel(
  server: Server,
  facts: LoadedFacts,
  { cachePrompt, keepAlive, contextTokens }: Settings,
): Promise<ServerModel> {
  const { model, show, running } = facts
  const sampling = samplingOf(show.parameters)
  const canThink = show.capabilities?.includes('thinking') ?? false
  const numCtx = contextTokensOf(running) ?? contextTokens
  const options = { ...sampling, ...(numCtx === undefined ? {} : { num_ctx: numCtx }) }
  return {
    info: await describeModel(server, facts, { sampling, cachePrompt }),
    supports: { seed: cachePrompt, concurrency: true, thinking: canThink },
    stream: createChatStream(server, {
      cachePrompt,
      canThink,
      hasLevelsOnly: /gpt-?oss/i.test(`${model.name} ${model.details.family}`),
      fixed: { model: model.name, keepAlive, options },
    }),
  }
}

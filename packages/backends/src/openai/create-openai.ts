import {
  type Backend,
  type BackendSupports,
  EnergyBenchError,
  type GenerateRequest,
  type LoadedModel,
  type LoadOptions,
} from '@energy-bench/spec'
import { disposedError } from '../shared/backend-errors.js'
import { generate, type ServerParts } from './generate.js'
import { createHttpClient, type HttpClient } from './http-client.js'
import { isLlamaServer, llamaServerProfile } from './llama-server-profile.js'
import { findServedModel, type ServedModel } from './served-model.js'
import { parseServerAddress, type ServerAddress } from './server-address.js'
import { genericProfile, type ServerProfile } from './server-profile.js'
import { waitUntilReady } from './wait-until-ready.js'

/** Which server, and how to speak with it. */
export interface OpenAIOptions {
  /** With or without `/v1`, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Model when `load` names none. Default: the only one that the server has. */
  readonly model?: string
  readonly fetch?: typeof globalThis.fetch
  /** Seconds until a whole answer must be there. Default 600. */
  readonly requestTimeoutS?: number
  /** Seconds to wait for a server that still loads its model. Default 60. */
  readonly readyTimeoutS?: number
  /** Fields that switch thinking on servers that are not known here; the result joins the request. */
  readonly thinkingFields?: (
    thinking: NonNullable<GenerateRequest['thinking']>,
  ) => Readonly<Record<string, unknown>>
  /** Set it for a server that sends thinking as plain text without the opening `<think>`. */
  readonly startsInThinking?: boolean
}

const supports: BackendSupports = { seed: true, concurrency: true, thinking: true }

/**
 * Makes a backend for a server with an OpenAI-compatible API. llama-server is recognised and told more exactly.
 *
 * @example
 * await using model = await createOpenAI({ baseUrl: 'http://127.0.0.1:8080' }).load({})
 */
export function createOpenAI(options: OpenAIOptions): Backend {
  const closing = new AbortController()
  return {
    specVersion: 1,
    id: 'openai',
    supports,
    async load(model, loadOptions = {}) {
      if (closing.signal.aborted) throw disposedError('The openai backend')
      return connect(options, { id: model.id ?? options.model, closing, ...loadOptions })
    },
    async [Symbol.asyncDispose]() {
      closing.abort(disposedError('The openai backend'))
    },
  }
}

interface Connection extends LoadOptions {
  readonly id: string | undefined
  readonly closing: AbortController
}

async function connect(options: OpenAIOptions, connection: Connection): Promise<LoadedModel> {
  const { signal } = connection
  signal?.throwIfAborted()
  const address = addressOf(options.baseUrl)
  const http = createHttpClient(address.rootUrl, {
    fetch: options.fetch ?? globalThis.fetch,
    apiKey: options.apiKey,
  })
  await waitUntilReady(http, { readyTimeoutS: options.readyTimeoutS ?? 60, signal })
  const served = await findServedModel(http, connection.id, signal)
  const profile = withThinkingFields(await findProfile(http, served, address), options)
  return createServedModel(options, {
    profile,
    served,
    address,
    backend: connection.closing.signal,
  })
}

async function findProfile(
  http: HttpClient,
  served: ServedModel,
  address: ServerAddress,
): Promise<ServerProfile> {
  const props = await http.get('/props')
  const isKnown = props.status === 200 && isLlamaServer(props.body)
  return isKnown
    ? llamaServerProfile(props.body, served, address)
    : genericProfile(served, address.rootUrl)
}

function withThinkingFields(
  profile: ServerProfile,
  { thinkingFields }: OpenAIOptions,
): ServerProfile {
  if (thinkingFields === undefined) return profile
  return {
    ...profile,
    canThink: true,
    extraFields: (request) => ({
      ...profile.extraFields(request),
      ...(request.thinking === undefined ? {} : thinkingFields(request.thinking)),
    }),
  }
}

interface Found {
  readonly profile: ServerProfile
  readonly served: ServedModel
  readonly address: ServerAddress
  readonly backend: AbortSignal
}

async function createServedModel(options: OpenAIOptions, found: Found): Promise<LoadedModel> {
  const { OpenAI } = await import('openai')
  const { profile, served, address } = found
  const requestTimeoutS = options.requestTimeoutS ?? 600
  const closing = new AbortController()
  const parts: ServerParts = {
    client: new OpenAI({
      baseURL: address.apiUrl,
      // The client wants some key; local servers do not look at it.
      apiKey: options.apiKey ?? 'none',
      // A hidden second attempt would cost energy that nobody counts.
      maxRetries: 0,
      timeout: requestTimeoutS * 1000,
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    }),
    profile,
    modelId: served.id,
    requestTimeoutS,
    startsInThinking: options.startsInThinking ?? false,
    closed: AbortSignal.any([closing.signal, found.backend]),
  }
  return {
    info: profile.info,
    supports: { ...supports, thinking: profile.canThink },
    async *generate(request) {
      parts.closed.throwIfAborted()
      yield* generate(parts, request)
    },
    async [Symbol.asyncDispose]() {
      closing.abort(disposedError('The model'))
    },
  }
}

function addressOf(baseUrl: string): ServerAddress {
  try {
    return parseServerAddress(baseUrl)
  } catch (cause) {
    throw new EnergyBenchError('usage-invalid', `baseUrl is not a URL: "${baseUrl}".`, {
      fix: 'Write it like http://127.0.0.1:8080',
      cause,
    })
  }
}

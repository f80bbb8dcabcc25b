import { setMaxListeners } from 'node:events'
import type {
  Backend,
  BackendInfo,
  BackendSupports,
  GenerateEvent,
  GenerateRequest,
  LoadedModel,
  LoadOptions,
} from '@energy-bench/spec'
import { disposedError } from '../shared/backend-errors.js'
import { createHttpClient, type HttpClient } from './http-client.js'
import { createRequestDeadline } from './request-deadline.js'
import { requestError } from './request-errors.js'
import { parseServerAddress, type ServerAddress } from './server-address.js'
import type { ServerOptions } from './server-options.js'
import { type AnswerEvent, withTruthfulEnd } from './truthful-end.js'

/** A server that an engine file speaks with. */
export interface Server {
  readonly address: ServerAddress
  readonly http: HttpClient
  readonly fetch: typeof globalThis.fetch
  readonly apiKey: string | undefined
  /** The key as headers, where there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly readyTimeoutS: number
}

/** What `load` was asked for. */
export interface WantedModel extends LoadOptions {
  readonly id: string | undefined
}

/** One model of a server, found and described. */
export interface ServerModel {
  readonly info: BackendInfo
  readonly supports: BackendSupports
  /** Asks for one answer. Throws whatever its client throws. */
  stream(request: GenerateRequest, signal: AbortSignal): AsyncIterable<AnswerEvent>
}

/** What is particular to one kind of server. */
export interface ServerEngine {
  readonly id: string
  readonly supports: BackendSupports
  connect(server: Server, wanted: WantedModel): Promise<ServerModel>
}

/** Makes the backend of an engine behind HTTP: lifetime, time limits and errors are the same for all of them. */
export function createServerBackend(engine: ServerEngine, options: ServerOptions): Backend {
  const closing = createClosing()
  const { id, supports } = engine
  return {
    specVersion: 1,
    id,
    supports,
    async load(model, loadOptions = {}) {
      if (closing.signal.aborted) throw disposedError(`The ${id} backend`)
      loadOptions.signal?.throwIfAborted()
      const server = serverOf(options)
      const wanted = { ...loadOptions, id: model.id ?? options.model }
      const limits = { timeoutS: options.requestTimeoutS ?? 600, backend: closing.signal }
      const found = await engine.connect(server, wanted).catch((error: unknown) => {
        loadOptions.signal?.throwIfAborted()
        throw requestError(error, server.address.rootUrl)
      })
      loadOptions.signal?.throwIfAborted()
      return createLoadedModel(found, server, limits)
    },
    async [Symbol.asyncDispose]() {
      closing.abort(disposedError(`The ${id} backend`))
    },
  }
}

function serverOf(options: ServerOptions): Server {
  const address = parseServerAddress(options.baseUrl)
  const { apiKey, readyTimeoutS = 60 } = options
  // Read at each call, so that a fetch that is replaced later is used.
  const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const headers: Record<string, string> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const http = createHttpClient(address.rootUrl, { fetch, headers, timeoutS: readyTimeoutS })
  return { address, http, fetch, apiKey, headers, readyTimeoutS }
}

/** Every request that runs listens to it, and there may be a thousand of them. */
function createClosing(): AbortController {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  return closing
}

interface Limits {
  readonly timeoutS: number
  /** Aborted when the backend is disposed. */
  readonly backend: AbortSignal
}

function createLoadedModel(
  model: ServerModel,
  { address }: Server,
  { timeoutS, backend }: Limits,
): LoadedModel {
  const closing = createClosing()
  return {
    info: model.info,
    supports: model.supports,
    generate: (request) => {
      const stops = [closing.signal, backend, request.signal]
      return generate(model, request, { timeoutS, url: address.rootUrl, stops })
    },
    async [Symbol.asyncDispose]() {
      closing.abort(disposedError('The model'))
    },
  }
}

/** Breaking out of the loop closes the connection, which stops the engine. */
async function* generate(
  model: ServerModel,
  request: GenerateRequest,
  limits: Parameters<typeof createRequestDeadline>[0],
): AsyncGenerator<GenerateEvent, void, undefined> {
  using deadline = createRequestDeadline(limits)
  const { signal } = deadline
  try {
    signal.throwIfAborted()
    const events = model.stream(request, signal)
    for await (const event of withTruthfulEnd(events, request, model.info)) {
      signal.throwIfAborted()
      yield event
    }
  } catch (error) {
    signal.throwIfAborted()
    throw requestError(error, limits.url)
  }
}

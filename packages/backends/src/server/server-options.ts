/** Which server, and how to reach it. */
export interface ServerOptions {
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
}

/** What becomes of the prompt cache of an engine. */
export interface PromptCacheOptions {
  /** Lets earlier prompts shorten the work of later ones, whose energy is then missing. Default false. */
  readonly cachePrompt?: boolean
}

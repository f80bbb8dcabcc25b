import {
  type BackendInfo,
  type EngineTimings,
  type GenerateRequest,
  unknown,
} from '@energy-bench/spec'

/** What is special about one kind of server with an OpenAI-compatible API. */
export interface ServerProfile {
  readonly info: BackendInfo
  /** Whether the server can switch thinking on and off. */
  readonly canThink: boolean
  /** The text begins inside a thinking block whose opening tag is not sent. */
  readonly startsInThinking?: boolean
  /** Begins every prompt with a mark of its own, because the prompt cache of the engine cannot be switched off. */
  readonly hasUniquePrefix?: boolean
  /** The server closes the connection of a stream after it without saying so, and the next request would meet that. */
  readonly closesAfterStream?: boolean
  /** Fields of a request beyond the OpenAI ones; `undefined` takes one away. */
  extraFields(request: GenerateRequest): Readonly<Record<string, unknown>>
  /** Times of the engine; `field` reads one of the last chunks of the answer. */
  timingsOf?(field: (name: string) => unknown): EngineTimings | undefined
}

/** An info in which everything but engine and model is unknown for one reason. */
export function bareInfo(engine: string, model: string, reason: string): BackendInfo {
  const untold = unknown(reason)
  return {
    engine,
    engineVersion: untold,
    model,
    modelDigest: untold,
    quantization: untold,
    contextTokens: untold,
    slots: untold,
    threads: untold,
    gpuLayers: untold,
    deviceUuids: untold,
    processId: untold,
    promptCache: untold,
    chatTemplateDigest: untold,
    samplingApplied: untold,
    settings: {},
  }
}

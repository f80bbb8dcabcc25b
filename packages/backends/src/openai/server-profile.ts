import { type BackendInfo, type GenerateRequest, unknown } from '@energy-bench/spec'
import type { ServedModel } from './served-model.js'

/** What is special about one kind of server. */
export interface ServerProfile {
  readonly info: BackendInfo
  /** Fields beyond the OpenAI ones that a request carries. */
  extraFields(request: GenerateRequest): Readonly<Record<string, unknown>>
  /** Whether the server can switch thinking on and off. */
  readonly canThink: boolean
}

/** Profile of a server that nothing is known about but the API it speaks. */
export function genericProfile(served: ServedModel, rootUrl: string): ServerProfile {
  const untold = unknown('the OpenAI API does not tell it')
  return {
    canThink: false,
    extraFields: () => ({}),
    info: {
      engine: 'OpenAI-compatible server',
      engineVersion: untold,
      model: served.id,
      modelDigest: untold,
      quantization: untold,
      contextTokens: untold,
      slots: untold,
      threads: untold,
      gpuLayers: untold,
      deviceUuids: untold,
      processId: untold,
      promptCache: untold,
      settings: { baseUrl: rootUrl },
    },
  }
}

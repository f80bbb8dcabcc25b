import type { Fact } from '@energy-bench/spec'

/** Engines that are told apart. `openai` speaks the OpenAI API and is none of the others. */
export type EngineKind =
  | 'llama-server'
  | 'ollama'
  | 'lm-studio'
  | 'vllm'
  | 'sglang'
  | 'tgi'
  | 'tensorrt-llm'
  | 'mlx-lm'
  | 'transformers-serve'
  | 'openai'
  | 'unrecognised'

/** Names of the engines for people. */
export const engineNames: Readonly<Record<EngineKind, string>> = {
  'llama-server': 'llama-server',
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  vllm: 'vLLM',
  sglang: 'SGLang',
  tgi: 'TGI',
  'tensorrt-llm': 'TensorRT-LLM',
  'mlx-lm': 'mlx_lm.server',
  'transformers-serve': 'transformers serve',
  openai: 'OpenAI-compatible server',
  unrecognised: 'something else',
}

/** Something that keeps an engine from answering, and the command or the step that ends it. */
export interface MissingPiece {
  readonly what: 'model' | 'readiness' | 'api-key' | 'engine'
  readonly detail: string
  readonly fix: string
}

/** What an engine says of itself. */
export interface EngineFacts {
  readonly kind: EngineKind
  readonly version: Fact<string>
  /** Names that requests may use, in the order of the engine. */
  readonly modelsAvailable: Fact<readonly string[]>
  /** Those of them that are in memory now. */
  readonly modelsLoaded: Fact<readonly string[]>
  /** Empty when the engine can answer as it is. */
  readonly missing: readonly MissingPiece[]
}

/** One engine that answers at an address. */
export interface DetectedEngine extends EngineFacts {
  /** The kind, as people write it. */
  readonly name: string
  /** Without `/v1`, as `createOpenAI` takes it. */
  readonly baseUrl: string
  /** False when the address is on another machine, whose energy no meter here can see. */
  readonly isLocal: boolean
  /** Process that listens at the address, for the meter. */
  readonly processId: Fact<number>
}

import type { Fact } from './unavailable.js'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** How much a model that can think shall think. */
export type Thinking = 'off' | 'on' | 'low' | 'medium' | 'high'

export interface GenerateRequest {
  readonly messages: readonly ChatMessage[]
  readonly maxOutputTokens: number
  /** Default 0, greedy. */
  readonly temperature?: number
  readonly seed?: number
  /** Left out: whatever the model does by itself. */
  readonly thinking?: Thinking
  readonly stop?: readonly string[]
  readonly signal?: AbortSignal
}

/** Why a generation ended: `length` is the token budget of the request, `context-full` the end of the context. */
export type FinishReason = 'stop' | 'length' | 'context-full' | 'refused' | 'other'

/** Token counts are the engine's own; null when it does not give them, never 0 in their place. */
export interface TokenCounts {
  readonly inputTokens: number | null
  /** Part of `inputTokens` that came from a prompt cache. */
  readonly cachedInputTokens: number | null
  /** Everything generated, thinking included. */
  readonly outputTokens: number | null
  /** Part of `outputTokens` spent on thinking. */
  readonly thinkingTokens: number | null
}

/** Times as the engine gives them, seconds; null when it does not. */
export interface EngineTimings {
  readonly prefillS: number | null
  readonly decodeS: number | null
  /** Loading the model for this request, where the engine had unloaded it. */
  readonly loadS: number | null
  /** Waiting for a free slot. */
  readonly queueS: number | null
}

/** Two facts that need not agree: some models think although told not to. */
export interface ThinkingReport {
  /** From the request; null when it said nothing. */
  readonly asked: Thinking | null
  /** Whether any thinking was seen in the output. */
  readonly observed: boolean
}

export interface GenerateEnd extends TokenCounts {
  readonly type: 'end'
  readonly finishReason: FinishReason
  readonly thinking: ThinkingReport
  readonly timings?: EngineTimings
}

/** What a generation yields: any number of deltas, then exactly one `end`. */
export type GenerateEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | GenerateEnd

export interface BackendSupports {
  /** Honours `seed`. */
  readonly seed: boolean
  /** Can run several generations at once. */
  readonly concurrency: boolean
  /** Honours `thinking`, for models that can think. */
  readonly thinking: boolean
}

/** Which model to load. An engine that runs files takes `path`, one that serves names takes `id`. */
export interface ModelRef {
  readonly id?: string
  readonly path?: string
}

export interface LoadOptions {
  readonly contextTokens?: number
  readonly signal?: AbortSignal
}

/** Values by the engine's own names, flat. */
export type SamplingSettings = Readonly<Record<string, string | number | boolean>>

/** What really runs, asked from the engine and never echoed from the request. */
export interface BackendInfo {
  readonly engine: string
  readonly engineVersion: Fact<string>
  readonly model: Fact<string>
  /** `sha256:<hex>` of the weights. */
  readonly modelDigest: Fact<string>
  readonly quantization: Fact<string>
  readonly contextTokens: Fact<number>
  /** Requests that the engine works on at once. */
  readonly slots: Fact<number>
  readonly threads: Fact<number>
  readonly gpuLayers: Fact<number>
  readonly deviceUuids: Fact<readonly string[]>
  /** Process that does the work, for meters that count by process. */
  readonly processId: Fact<number>
  /** Whether earlier prompts can shorten the work of later ones. */
  readonly promptCache: Fact<'off' | 'on'>
  /** `sha256:<hex>` of the text of the chat template. */
  readonly chatTemplateDigest: Fact<string>
  /** Sampling parameters that the engine applies beside those of a request, by the engine's own names. */
  readonly samplingApplied: Fact<SamplingSettings>
  /** Anything else worth recording, flat. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
}

export interface LoadedModel extends AsyncDisposable {
  readonly info: BackendInfo
  readonly supports: BackendSupports
  /** When it was loaded, on the clock of the meter (`process.hrtime`), where the backend loaded it by itself. */
  readonly loading?: { readonly startS: number; readonly endS: number }
  generate(request: GenerateRequest): AsyncIterable<GenerateEvent>
}

/** An engine. Third parties implement this and test it with `@energy-bench/backends/contract`. */
export interface Backend extends AsyncDisposable {
  readonly specVersion: 1
  readonly id: string
  readonly supports: BackendSupports
  load(model: ModelRef, options?: LoadOptions): Promise<LoadedModel>
}

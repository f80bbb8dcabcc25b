import {
  type BackendInfo,
  EnergyBenchError,
  type EngineTimings,
  type FinishReason,
  type GenerateEvent,
  type GenerateRequest,
  type LoadedModel,
  type TokenCounts,
  unknown,
} from '@energy-bench/spec'

/** What the fake answers to one prompt. */
export interface Answer {
  readonly text: string
  readonly thinking?: string
  readonly durationS?: number
  readonly finishReason?: FinishReason
  readonly tokens?: Partial<TokenCounts>
  readonly timings?: EngineTimings
}

export interface FakeModelOptions {
  /** `call` counts from 1, warm-up included. A thrown error is the engine's. */
  readonly answer: (prompt: string, call: number) => Answer
  readonly advance: (durationS: number) => void
  readonly work?: (run: () => void) => Promise<void>
  readonly info?: Partial<BackendInfo>
}

/** A model that takes time on a fake clock only. */
export function createFakeModel(options: FakeModelOptions): LoadedModel {
  let calls = 0
  return {
    info: { ...bareInfo, ...options.info },
    supports: { seed: true, concurrency: false, thinking: true },
    async *generate(request): AsyncGenerator<GenerateEvent> {
      calls += 1
      request.signal?.throwIfAborted()
      yield* stream(options.answer(promptOf(request), calls), options, request)
    },
    async [Symbol.asyncDispose]() {},
  }
}

async function* stream(
  answer: Answer,
  options: FakeModelOptions,
  request: GenerateRequest,
): AsyncGenerator<GenerateEvent> {
  const { advance, work = async (run: () => void) => run() } = options
  const durationS = answer.durationS ?? 0.5
  await work(() => advance(durationS / 2))
  if (answer.thinking !== undefined) yield { type: 'thinking-delta', text: answer.thinking }
  yield { type: 'text-delta', text: '' }
  yield { type: 'text-delta', text: answer.text }
  await work(() => advance(durationS / 2))
  yield {
    type: 'end',
    finishReason: answer.finishReason ?? 'stop',
    inputTokens: 10,
    cachedInputTokens: 0,
    outputTokens: 5,
    thinkingTokens: null,
    thinking: { asked: request.thinking ?? null, observed: answer.thinking !== undefined },
    ...(answer.timings === undefined ? {} : { timings: answer.timings }),
    ...answer.tokens,
  }
}

function promptOf({ messages }: GenerateRequest): string {
  return messages.at(-1)?.content ?? ''
}

/** What an engine throws when it has died. */
export function engineDied(): EnergyBenchError {
  return new EnergyBenchError('backend-failed', 'the engine has gone away')
}

const bareInfo: BackendInfo = {
  engine: 'fake',
  engineVersion: '1.0.0',
  model: 'fake-1b',
  modelDigest: 'sha256:00',
  quantization: 'f16',
  contextTokens: 2048,
  slots: 1,
  threads: 1,
  gpuLayers: 0,
  deviceUuids: unknown('a fake has none'),
  processId: 4242,
  promptCache: 'off',
  chatTemplateDigest: unknown('a fake has none'),
  samplingApplied: {},
  settings: { flash: true },
}

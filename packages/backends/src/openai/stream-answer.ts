import {
  EnergyBenchError,
  type EngineTimings,
  type FinishReason,
  type GenerateEnd,
  type GenerateEvent,
} from '@energy-bench/spec'
import { createThinkingSplitter } from '../shared/split-thinking.js'
import { at, numberAt, textAt } from './json-path.js'

/** Options of `streamAnswer`. */
export interface StreamOptions {
  /** The text begins inside a thinking block whose opening tag is not sent. */
  readonly startsInThinking: boolean
}

/** Turns the chunks of a chat completion stream into events. Chunks are not tokens, so nothing is counted. */
export async function* streamAnswer(
  chunks: AsyncIterable<unknown>,
  { startsInThinking }: StreamOptions,
): AsyncGenerator<GenerateEvent, void, undefined> {
  const splitter = createThinkingSplitter(startsInThinking)
  let finish: string | undefined
  let usage: unknown
  let timings: unknown
  let hasThought = false
  for await (const chunk of chunks) {
    failOnError(chunk)
    finish = textAt(chunk, 'choices', 0, 'finish_reason') ?? finish
    usage = at(chunk, 'usage') ?? usage
    timings = at(chunk, 'timings') ?? timings
    for (const piece of piecesOf(chunk, splitter)) {
      hasThought ||= piece.type === 'thinking-delta'
      yield piece
    }
  }
  if (finish === undefined) throw brokenOff()
  for (const piece of splitter.end()) {
    hasThought ||= piece.type === 'thinking-delta'
    yield piece
  }
  yield {
    type: 'end',
    finishReason: finishReasonOf(finish),
    ...countsOf(usage, hasThought),
    ...timingsOf(timings),
  }
}

function piecesOf(
  chunk: unknown,
  splitter: ReturnType<typeof createThinkingSplitter>,
): GenerateEvent[] {
  const delta = at(chunk, 'choices', 0, 'delta')
  const thinking = textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning')
  const text = textAt(delta, 'content')
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking-delta' as const, text: thinking }]),
    ...(text === undefined ? [] : splitter.push(text)),
  ]
}

type Counts = Pick<
  GenerateEnd,
  'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'thinkingTokens'
>

function countsOf(usage: unknown, hasThought: boolean): Counts {
  const outputTokens = numberAt(usage, 'completion_tokens') ?? null
  const thinkingTokens = numberAt(usage, 'completion_tokens_details', 'reasoning_tokens')
  const noThought = hasThought || outputTokens === null ? null : 0
  return {
    inputTokens: numberAt(usage, 'prompt_tokens') ?? null,
    cachedInputTokens: numberAt(usage, 'prompt_tokens_details', 'cached_tokens') ?? null,
    outputTokens,
    thinkingTokens: thinkingTokens ?? noThought,
  }
}

/** llama-server gives milliseconds. */
function timingsOf(timings: unknown): { readonly timings?: EngineTimings } {
  if (timings === undefined) return {}
  return {
    timings: {
      prefillS: secondsAt(timings, 'prompt_ms'),
      decodeS: secondsAt(timings, 'predicted_ms'),
    },
  }
}

function secondsAt(timings: unknown, key: string): number | null {
  const milliseconds = numberAt(timings, key)
  return milliseconds === undefined ? null : milliseconds / 1000
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'refused',
}

function finishReasonOf(reason: string): FinishReason {
  return finishReasons[reason] ?? 'other'
}

function failOnError(chunk: unknown): void {
  const error = at(chunk, 'error')
  if (error === undefined || error === null) return
  const message = textAt(error, 'message') ?? JSON.stringify(error)
  throw new EnergyBenchError('backend-failed', `The server broke off an answer: ${message}.`, {
    fix: 'See the log of the server.',
    isRetryable: true,
  })
}

function brokenOff(): EnergyBenchError {
  return new EnergyBenchError(
    'backend-failed',
    'The answer stream ended without a finish reason, so the answer is not complete.',
    { fix: 'See whether the server is still alive and what its log says.', isRetryable: true },
  )
}

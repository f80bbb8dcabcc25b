import type { FinishReason } from '@energy-bench/spec'
import { createThinkingSplitter, type OutputPiece } from '../shared/split-thinking.js'
import { at, numberAt, textAt } from './json-path.js'
import { cutError } from './request-errors.js'
import type { ServerProfile } from './server-profile.js'
import type { AnswerEnd, AnswerEvent } from './truthful-end.js'

/** Turns the chunks of a chat completion stream into events. Chunks are not tokens, so nothing is counted. */
export async function* streamAnswer(
  chunks: AsyncIterable<unknown>,
  { startsInThinking = false, timingsOf }: Pick<ServerProfile, 'startsInThinking' | 'timingsOf'>,
  url: string,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const splitter = createThinkingSplitter(startsInThinking)
  const last: unknown[] = []
  let finish: string | undefined
  for await (const chunk of chunks) {
    finish = textAt(chunk, 'choices', 0, 'finish_reason') ?? finish
    if (finish !== undefined) last.push(chunk)
    yield* piecesOf(chunk, splitter)
  }
  if (finish === undefined) throw cutError(url)
  if (gaveUp.has(finish)) throw cutError(url, new Error(`the engine gave it up (${finish})`))
  yield* splitter.end()
  const field = (name: string) =>
    at(
      last.findLast((chunk) => at(chunk, name) != null),
      name,
    )
  const timings = timingsOf?.(field)
  yield {
    type: 'end',
    finishReason: finishReasons[finish] ?? 'other',
    ...countsOf(field('usage')),
    ...(timings === undefined ? {} : { timings }),
  }
}

function piecesOf(
  chunk: unknown,
  splitter: ReturnType<typeof createThinkingSplitter>,
): OutputPiece[] {
  const delta = at(chunk, 'choices', 0, 'delta')
  const thinking = textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning')
  const text = textAt(delta, 'content')
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking-delta' as const, text: thinking }]),
    ...(text === undefined ? [] : splitter.push(text)),
  ]
}

type Counts = Pick<
  AnswerEnd,
  'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'thinkingTokens'
>

/** `reasoning_tokens` stands in the details, or beside them where SGLang answers. */
function countsOf(usage: unknown): Counts {
  return {
    inputTokens: numberAt(usage, 'prompt_tokens') ?? null,
    cachedInputTokens: numberAt(usage, 'prompt_tokens_details', 'cached_tokens') ?? null,
    outputTokens: numberAt(usage, 'completion_tokens') ?? null,
    thinkingTokens:
      numberAt(usage, 'completion_tokens_details', 'reasoning_tokens') ??
      numberAt(usage, 'reasoning_tokens') ??
      null,
  }
}

/** How vLLM and SGLang say that they did not finish an answer. */
const gaveUp: ReadonlySet<string> = new Set(['abort', 'error'])

/** The names of OpenAI, and those of TGI's own API. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  content_filter: 'refused',
}

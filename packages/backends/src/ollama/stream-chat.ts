import type { EngineTimings, FinishReason } from '@energy-bench/spec'
import { readJsonLines } from '../server/json-lines.js'
import { at, numberAt, textAt } from '../server/json-path.js'
import { cutError, engineError } from '../server/request-errors.js'
import type { AnswerEnd, AnswerEvent } from '../server/truthful-end.js'
import type { OutputPiece } from '../shared/split-thinking.js'

/** Turns the lines of `/api/chat` into events. A stream without `done: true` is cut, whatever came before. */
export async function* streamChat(
  body: AsyncIterable<Uint8Array>,
  url: string,
): AsyncGenerator<AnswerEvent, void, undefined> {
  for await (const line of readJsonLines(body, url)) {
    const error = at(line, 'error')
    // Errors in the middle come as lines under HTTP 200.
    if (error !== undefined) throw engineError(error)
    yield* piecesOf(line)
    if (at(line, 'done') !== true) continue
    // Without a reason the engine broke off for its own reasons.
    if (textAt(line, 'done_reason') === undefined) break
    return yield endOf(line)
  }
  throw cutError(url)
}

function piecesOf(line: unknown): OutputPiece[] {
  const thinking = textAt(line, 'message', 'thinking')
  const text = textAt(line, 'message', 'content')
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking-delta' as const, text: thinking }]),
    ...(text === undefined ? [] : [{ type: 'text-delta' as const, text }]),
  ]
}

const finishReasons: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' }

function endOf(line: unknown): AnswerEnd {
  return {
    type: 'end',
    finishReason: finishReasons[textAt(line, 'done_reason') ?? ''] ?? 'other',
    inputTokens: countAt(line, 'prompt_eval_count'),
    // 0.33.3 and later; 0 is a count here, since the field is left out where nothing is known.
    cachedInputTokens: numberAt(line, 'prompt_eval_cached_count') ?? null,
    outputTokens: countAt(line, 'eval_count'),
    thinkingTokens: null,
    timings: timingsOf(line),
  }
}

function timingsOf(line: unknown): EngineTimings {
  return {
    prefillS: secondsAt(line, 'prompt_eval_duration'),
    decodeS: secondsAt(line, 'eval_duration'),
    loadS: secondsAt(line, 'load_duration'),
    queueS: null,
  }
}

/** 0 stands for a field that is not there (`omitempty`). */
function countAt(line: unknown, name: string): number | null {
  return numberAt(line, name) || null
}

/** Ollama gives nanoseconds. */
function secondsAt(line: unknown, name: string): number | null {
  const nanoseconds = countAt(line, name)
  return nanoseconds === null ? null : nanoseconds / 1e9
}

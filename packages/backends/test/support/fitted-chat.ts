import { at, numberAt, textAt } from '../../src/server/json-path.js'
import { fittedAnswer, type KnownAnswer, type Piece, type Wish } from './fitted-answer.js'

type Body = Record<string, unknown>

/** Changes the known chunks of a chat completion as far as a request wants it. */
export function fittedChat(chunks: readonly unknown[], body: Body): readonly unknown[] {
  const known = answerOf(chunks)
  const fitted = fittedAnswer(known, wishOf(body))
  if (JSON.stringify(fitted) === JSON.stringify(known)) return chunks
  const first = chunks.findIndex((chunk) => pieceOf(chunk) !== undefined)
  const thinkingName = chunks.some((chunk) => deltaOf(chunk, 'reasoning') !== undefined)
    ? 'reasoning'
    : 'reasoning_content'
  const middle = fitted.pieces.map(({ kind, text }) => ({
    ...(chunks[first] as object),
    choices: [
      {
        index: 0,
        delta: { [kind === 'text' ? 'content' : thinkingName]: text },
        finish_reason: null,
      },
    ],
  }))
  const end = chunks.filter(isEnd).map((chunk) => endChunk(chunk, fitted))
  return [...chunks.slice(0, first), ...middle, ...end]
}

/** Whether an answer would be longer than the request allows. */
export function isOverLimit(chunks: readonly unknown[], body: Body): boolean {
  return answerOf(chunks).outputTokens > wishOf(body).limit
}

function wishOf({ messages, max_tokens, stop }: Body): Wish {
  return {
    messages: messages as Wish['messages'],
    limit: Number(max_tokens ?? Number.POSITIVE_INFINITY),
    stop: (stop ?? []) as readonly string[],
  }
}

function answerOf(chunks: readonly unknown[]): KnownAnswer {
  const usage = at(
    chunks.findLast((chunk) => at(chunk, 'usage') != null),
    'usage',
  )
  const reasons = chunks.flatMap((chunk) => textAt(chunk, 'choices', 0, 'finish_reason') ?? [])
  return {
    pieces: chunks.flatMap((chunk) => pieceOf(chunk) ?? []),
    reason: reasons[0] ?? '',
    inputTokens: numberAt(usage, 'prompt_tokens') ?? 0,
    outputTokens: numberAt(usage, 'completion_tokens') ?? 0,
  }
}

function pieceOf(chunk: unknown): Piece | undefined {
  const thinking = deltaOf(chunk, 'reasoning_content') ?? deltaOf(chunk, 'reasoning')
  if (thinking !== undefined) return { kind: 'thinking', text: thinking }
  const text = deltaOf(chunk, 'content')
  return text === undefined ? undefined : { kind: 'text', text }
}

function isEnd(chunk: unknown): boolean {
  return at(chunk, 'usage') != null || textAt(chunk, 'choices', 0, 'finish_reason') !== undefined
}

function deltaOf(chunk: unknown, name: string): string | undefined {
  return textAt(chunk, 'choices', 0, 'delta', name) || undefined
}

function endChunk(chunk: unknown, { pieces, reason, inputTokens, outputTokens }: KnownAnswer) {
  const usage = at(chunk, 'usage') as Body | undefined
  const choices = (at(chunk, 'choices') as Body[]).map((choice) => ({
    ...choice,
    delta: {},
    finish_reason: reason,
  }))
  if (usage == null) return { ...(chunk as object), choices }
  const hasThought = pieces.some(({ kind }) => kind === 'thinking')
  const { completion_tokens_details: _, reasoning_tokens: __, ...rest } = usage
  const counts = { prompt_tokens: inputTokens, completion_tokens: outputTokens }
  const whole = { ...rest, ...counts, total_tokens: inputTokens + outputTokens }
  return {
    ...(chunk as object),
    choices,
    usage: hasThought ? whole : { ...whole, completion_tokens_details: { reasoning_tokens: 0 } },
  }
}

import type { GenerateEvent, GenerateRequest } from '@energy-bench/spec'
import type { FakeBackendOptions, FakeText } from './create-fake-backend.js'

type Delta = Exclude<GenerateEvent, { readonly type: 'end' }>

/** All events of one answer, cut at the token limit. */
export function fakeAnswer(
  options: FakeBackendOptions,
  request: GenerateRequest,
): readonly GenerateEvent[] {
  const deltas = [
    ...thinkingOf(options, request),
    ...deltasOf('text-delta', answerOf(options, request)),
  ]
  const kept = deltas.slice(0, request.maxOutputTokens)
  const thinkingTokens = kept.filter((delta) => delta.type === 'thinking-delta').length
  const isWhole = deltas.length < request.maxOutputTokens
  return [
    ...kept,
    {
      type: 'end',
      finishReason: isWhole ? 'stop' : 'length',
      inputTokens: (options.countInput ?? countWords)(request),
      cachedInputTokens: 0,
      outputTokens: kept.length + (isWhole ? 1 : 0),
      thinkingTokens,
      thinking: { asked: request.thinking ?? null, observed: thinkingTokens > 0 },
    },
  ]
}

function thinkingOf(options: FakeBackendOptions, request: GenerateRequest): Delta[] {
  if (options.thinking === undefined || request.thinking === 'off') return []
  return deltasOf('thinking-delta', textOf(options.thinking, request))
}

function answerOf(options: FakeBackendOptions, request: GenerateRequest): string {
  const text = textOf(options.answer ?? 'ok', request)
  const cuts = (request.stop ?? []).map((word) => text.indexOf(word)).filter((index) => index >= 0)
  return text.slice(0, Math.min(text.length, ...cuts))
}

function textOf(text: FakeText, request: GenerateRequest): string {
  return typeof text === 'string' ? text : text(request)
}

function deltasOf(type: Delta['type'], text: string): Delta[] {
  return wordsOf(text).map((word) => ({ type, text: word }))
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

function countWords({ messages }: GenerateRequest): number {
  return 1 + messages.reduce((sum, { content }) => sum + wordsOf(content).length, 0)
}

import assert from 'node:assert/strict'
import type {
  Backend,
  GenerateEnd,
  GenerateEvent,
  GenerateRequest,
  LoadedModel,
  ModelRef,
} from '@energy-bench/spec'

/** What a check works with. */
export interface CheckContext {
  readonly create: () => Promise<Backend>
  readonly model: ModelRef
  readonly unknownModel: ModelRef
  /** One question with a limit that may cut its answer, or leave it in the middle of thinking. */
  readonly request: GenerateRequest
  /** Limit that lets the answer come to its end, tokens. */
  readonly answerTokens: number
  /** Generations that run at once. */
  readonly concurrency: number
}

/** The body of one check; it rejects when the backend breaks its promise. */
export type CheckBody = (context: CheckContext) => Promise<void>

/** Opens a backend and its model for one check and disposes both, whatever happens. */
export async function withModel(
  context: CheckContext,
  body: (model: LoadedModel) => Promise<void>,
): Promise<void> {
  await using backend = await context.create()
  await using model = await backend.load(context.model)
  await body(model)
}

/** The same question with room for its answer, and without thinking where that can be switched off. */
export function answerRequest(context: CheckContext, { supports }: LoadedModel): GenerateRequest {
  const request = { ...context.request, maxOutputTokens: context.answerTokens }
  return supports.thinking ? { ...request, thinking: 'off' } : request
}

/** A request that asks something else. */
export function asking(content: string, request: GenerateRequest): GenerateRequest {
  return { ...request, messages: [{ role: 'user', content }] }
}

/** All events of one generation. */
export async function eventsOf(
  model: LoadedModel,
  request: GenerateRequest,
): Promise<readonly GenerateEvent[]> {
  const events: GenerateEvent[] = []
  for await (const event of model.generate(request)) events.push(event)
  return events
}

/** The last end event of a list; fails the check when there is none. */
export function endOf(events: readonly GenerateEvent[]): GenerateEnd {
  const end = events.findLast((event) => event.type === 'end')
  assert.ok(end?.type === 'end', 'the generation gave no end event')
  return end
}

/** Thinking and answer as one text, in the order of the stream. */
export function outputOf(events: readonly GenerateEvent[]): string {
  return events.map((event) => (event.type === 'end' ? '' : event.text)).join('')
}

/** The answer alone; `kind` chooses the thinking in its place. */
export function textOf(
  events: readonly GenerateEvent[],
  kind: 'text-delta' | 'thinking-delta' = 'text-delta',
): string {
  return events.map((event) => (event.type === kind ? event.text : '')).join('')
}

/** Rejects when the body takes longer than the limit, in seconds. */
export async function withinTime(limitS: number, body: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const error = new assert.AssertionError({ message: `no result within ${limitS} s` })
    timer = setTimeout(() => reject(error), limitS * 1000)
  })
  try {
    await Promise.race([body(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

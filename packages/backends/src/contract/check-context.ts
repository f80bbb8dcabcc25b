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
  readonly request: GenerateRequest
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

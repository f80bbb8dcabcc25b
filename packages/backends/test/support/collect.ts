import type { GenerateEnd, GenerateEvent, GenerateRequest, LoadedModel } from '@energy-bench/spec'

export interface Collected {
  readonly text: string
  readonly thinking: string
  readonly end: GenerateEnd
}

/** Runs one generation to its end and joins its pieces. */
export async function collect(
  model: LoadedModel,
  request: Partial<GenerateRequest> = {},
): Promise<Collected> {
  return collectEvents(model.generate({ ...ask('What is 347 + 86?'), ...request }))
}

export async function collectEvents(events: AsyncIterable<GenerateEvent>): Promise<Collected> {
  let text = ''
  let thinking = ''
  let end: GenerateEnd | undefined
  for await (const event of events) {
    if (event.type === 'text-delta') text += event.text
    if (event.type === 'thinking-delta') thinking += event.text
    if (event.type === 'end') end = event
  }
  if (end === undefined) throw new Error('no end event came')
  return { text, thinking, end }
}

export function ask(content: string): GenerateRequest {
  return { messages: [{ role: 'user', content }], maxOutputTokens: 300 }
}

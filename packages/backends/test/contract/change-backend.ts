import type { Backend, GenerateEnd, GenerateEvent, LoadedModel } from '@energy-bench/spec'
import { createFakeBackend, type FakeText } from '../../src/fake/index.js'

export const answer = 'one two three four five six seven eight nine'

export type Generate = LoadedModel['generate']

type ChangeModel = (model: LoadedModel) => Partial<LoadedModel>

/** A backend that keeps every promise. */
export function goodBackend(text: FakeText = answer): Backend {
  return createFakeBackend({ answer: text, models: ['tiny'] })
}

/** A good backend that answers with the question. */
export function echoBackend(): Backend {
  return goodBackend(({ messages }) => messages.map(({ content }) => content).join(' '))
}

/** A backend whose loaded models are changed in part. */
export function withModel(change: ChangeModel, backend = goodBackend()): Backend {
  return {
    ...backend,
    async load(ref, options) {
      const model = await backend.load(ref, options)
      return { ...model, ...change(model) }
    },
  }
}

export function withGenerate(
  change: (generate: Generate) => Generate,
  backend = goodBackend(),
): Backend {
  return withModel(({ generate }) => ({ generate: change(generate) }), backend)
}

export function withEvents(
  change: (events: AsyncIterable<GenerateEvent>) => AsyncIterable<GenerateEvent>,
  backend = goodBackend(),
): Backend {
  return withGenerate((generate) => (request) => change(generate(request)), backend)
}

export function withEnd(change: (end: GenerateEnd) => Partial<GenerateEnd>): Backend {
  return withEvents(async function* (events) {
    for await (const event of events)
      yield event.type === 'end' ? { ...event, ...change(event) } : event
  })
}

import type {
  Backend,
  BackendInfo,
  GenerateEnd,
  GenerateEvent,
  GenerateRequest,
  LoadedModel,
} from '@energy-bench/spec'
import { createFakeBackend } from '../../src/fake/index.js'

const answer = 'one two three four five six seven eight nine'

export function goodBackend(): Backend {
  return createFakeBackend({ answer, models: ['tiny'] })
}

type ChangeModel = (model: LoadedModel, backend: Backend) => Partial<LoadedModel>
type Generate = LoadedModel['generate']

/** One backend a check, broken in exactly the way that the check is for. */
export const brokenBackends: Readonly<Record<string, () => Backend>> = {
  'names itself and the version of the specification': () => ({
    ...goodBackend(),
    id: 'My Engine',
  }),

  'tells every fact of the run, or why it is unknown': () =>
    withModel((model) => ({ info: { ...model.info, quantization: '' } satisfies BackendInfo })),

  'rejects a model that it does not have': () => createFakeBackend({ answer }),

  'ends every generation with exactly one end event': () =>
    withEvents(async function* (events) {
      for await (const event of events) {
        yield event
        if (event.type === 'end') yield event
      }
    }),

  'gives its output in pieces that are not empty': () =>
    withEvents(async function* (events) {
      for await (const event of events) {
        if (event.type === 'end') yield { type: 'text-delta', text: '' }
        yield event
      }
    }),

  'holds the limit of output tokens': () =>
    withModel((model) => ({
      generate: (request) =>
        model.generate({ ...request, maxOutputTokens: request.maxOutputTokens + 1 }),
    })),

  'counts tokens in whole numbers, or says null': () => withEnd({ inputTokens: Number.NaN }),

  'times itself in seconds, within the time that passed': () =>
    withEnd({ timings: { prefillS: 12, decodeS: 340, loadS: null, queueS: null } }),

  'tells which thinking was asked for and whether any was seen': () =>
    withEnd({ thinking: { asked: null, observed: true } }),

  'repeats itself with the same seed, where it supports seeds': () => {
    let count = 0
    const counted = () => {
      count += 1
      return `${count} ${answer}`
    }
    return createFakeBackend({ models: ['tiny'], answer: counted })
  },

  'runs two generations at once, where it supports concurrency': () =>
    withModel((model) => ({ generate: refuseSecond(model.generate) })),

  'rejects with the reason when the signal was aborted before': () =>
    withModel((model) => ({
      async *generate(request) {
        if (request.signal?.aborted) throw new Error('aborted')
        yield* model.generate(request)
      },
    })),

  'rejects with the reason when the signal is aborted on the way': () =>
    withModel((model) => ({
      async *generate({ signal, ...request }) {
        signal?.throwIfAborted()
        yield* model.generate(request)
      },
    })),

  'is free again after a consumer broke out of the loop': () =>
    withModel((model) => ({ generate: failAfterBreak(model.generate) })),

  'can be disposed twice': () => {
    const backend = goodBackend()
    let disposals = 0
    return {
      ...backend,
      load: backend.load,
      async [Symbol.asyncDispose]() {
        disposals += 1
        if (disposals > 1) throw new Error('already disposed')
        await backend[Symbol.asyncDispose]()
      },
    }
  },

  'rejects a generation after the model was disposed': () =>
    withModel(() => ({ async [Symbol.asyncDispose]() {} })),

  'rejects a load after the backend was disposed': () => ({
    ...goodBackend(),
    async [Symbol.asyncDispose]() {},
  }),
}

/** A backend whose loaded models are changed in part. */
export function withModel(change: ChangeModel, backend = goodBackend()): Backend {
  return {
    ...backend,
    async load(ref, options) {
      const model = await backend.load(ref, options)
      return { ...model, ...change(model, backend) }
    },
  }
}

function withEvents(
  change: (events: AsyncIterable<GenerateEvent>) => AsyncIterable<GenerateEvent>,
): Backend {
  return withModel((model) => ({ generate: (request) => change(model.generate(request)) }))
}

function withEnd(changes: Partial<GenerateEnd>): Backend {
  return withEvents(async function* (events) {
    for await (const event of events) yield event.type === 'end' ? { ...event, ...changes } : event
  })
}

function refuseSecond(generate: Generate): Generate {
  let running = 0
  return async function* (request: GenerateRequest) {
    if (running > 0) throw new Error('busy')
    running += 1
    try {
      yield* generate(request)
    } finally {
      running -= 1
    }
  }
}

/** Stays busy when the loop was left without an abort, which a wrong `finally` does. */
function failAfterBreak(generate: Generate): Generate {
  let isStuck = false
  return async function* (request: GenerateRequest) {
    if (isStuck) throw new Error('busy')
    let isLeft = true
    try {
      yield* generate(request)
      isLeft = false
    } catch (error) {
      isLeft = false
      throw error
    } finally {
      isStuck ||= isLeft
    }
  }
}

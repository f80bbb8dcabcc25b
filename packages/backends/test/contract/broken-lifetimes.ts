import type { Backend, LoadedModel } from '@energy-bench/spec'
import { createFakeBackend } from '../../src/fake/index.js'
import { answer, type Generate, goodBackend, withGenerate, withModel } from './change-backend.js'

/** One backend for each check of what an engine says of itself, and of how it starts and stops. */
export const brokenLifetimes: Readonly<Record<string, () => Backend>> = {
  'names itself and the version of the specification': () => ({
    ...goodBackend(),
    id: 'My Engine',
  }),

  'tells every fact of the run, or why it is unknown': () =>
    withModel(({ info }) => ({ info: { ...info, quantization: '' } })),

  'tells the same facts before and after a generation': () => withModel(countInInfo),

  'claims no ability for a model that the engine does not claim': () => ({
    ...goodBackend(),
    supports: { seed: true, concurrency: true, thinking: false },
  }),

  'rejects a model that it does not have': () => createFakeBackend({ answer }),

  'rejects with the reason when the signal was aborted before': () =>
    withGenerate(
      (generate) =>
        async function* (request) {
          if (request.signal?.aborted) throw new Error('aborted')
          yield* generate(request)
        },
    ),

  'rejects with the reason when the signal is aborted on the way': () =>
    withGenerate(
      (generate) =>
        async function* ({ signal, ...request }) {
          signal?.throwIfAborted()
          yield* generate(request)
        },
    ),

  'is free again after an abort': () => withGenerate(failAfterAbort),

  'is free again after a consumer broke out of the loop': () => withGenerate(failAfterBreak),

  'rejects a load with the reason of its signal': () => {
    const backend = goodBackend()
    return { ...backend, load: (ref) => backend.load(ref) }
  },

  'can be disposed twice': () => {
    const backend = goodBackend()
    let disposals = 0
    return {
      ...backend,
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

function countInInfo({ info, generate }: LoadedModel): Partial<LoadedModel> {
  const settings = { generations: 0 }
  return {
    info: { ...info, settings },
    generate(request) {
      settings.generations += 1
      return generate(request)
    },
  }
}

function failAfterAbort(generate: Generate): Generate {
  let isStuck = false
  return async function* (request) {
    if (isStuck) throw new Error('busy')
    try {
      yield* generate(request)
    } catch (error) {
      isStuck = true
      throw error
    }
  }
}

/** Stays busy when the loop was left without an abort, which a wrong `finally` does. */
function failAfterBreak(generate: Generate): Generate {
  let isStuck = false
  return async function* (request) {
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

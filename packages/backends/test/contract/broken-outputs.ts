import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Backend, GenerateEvent, GenerateRequest } from '@energy-bench/spec'
import { echoBackend, type Generate, withEnd, withEvents, withGenerate } from './change-backend.js'

/** One backend for each check of what a generation gives. */
export const brokenOutputs: Readonly<Record<string, () => Backend>> = {
  'ends every generation with exactly one end event': () =>
    withEvents(async function* (events) {
      let pieces = 0
      for await (const event of events) {
        yield event
        pieces += 1
        if (event.type === 'end' && pieces > 1) yield event
      }
    }),

  'gives its output in pieces that are not empty': () =>
    withEvents(async function* (events) {
      let pieces = 0
      for await (const event of events) {
        if (event.type === 'end' && pieces > 0) yield { type: 'text-delta', text: '' }
        yield event
        pieces += 1
      }
    }),

  'tells which thinking was asked for and whether any was seen': () =>
    withEnd(({ thinking }) => ({ thinking: { ...thinking, asked: null } })),

  'repeats itself with the same seed, where it supports seeds': () => {
    let count = 0
    return withEvents(async function* (events) {
      count += 1
      for await (const event of events)
        yield event.type !== 'end' && event.text === ' three'
          ? { ...event, text: ` three${count}` }
          : event
    })
  },

  'keeps the tags of thinking out of its output': () =>
    withGenerate(
      (generate) =>
        async function* (request) {
          if (request.thinking === 'on') yield* tagged()
          yield* generate(request)
        },
    ),

  'never cuts a character in two': () =>
    withEvents(async function* (events) {
      for await (const event of events) {
        if (event.type === 'end') yield event
        else for (const text of event.text.split('')) yield { type: event.type, text }
      }
    }, echoBackend()),

  'holds the limit of output tokens': () =>
    withGenerate((generate) => (request) => {
      const isLong = request.maxOutputTokens === 8
      return generate(isLong ? { ...request, maxOutputTokens: 9 } : request)
    }),

  'takes a limit of one token': () =>
    withGenerate(
      (generate) =>
        async function* (request) {
          if (request.maxOutputTokens === 1) throw new Error('n_predict must be at least 2')
          yield* generate(request)
        },
    ),

  'says that the limit ended an answer, where it did': () =>
    withEnd(() => ({ finishReason: 'stop' })),

  'ends an answer before a stop word': () =>
    withGenerate(
      (generate) =>
        ({ stop: _, ...request }) =>
          generate(request),
    ),

  'ends an answer that is empty like any other': () =>
    withEvents(async function* (events) {
      let pieces = 0
      for await (const event of events) {
        if (event.type === 'end' && pieces === 0) yield { type: 'text-delta', text: '' }
        yield event
        pieces += 1
      }
    }),

  'counts tokens in whole numbers, or says null': () => withEnd(() => ({ cachedInputTokens: 0.5 })),

  'counts more input tokens for a longer prompt': () => withEnd(() => ({ inputTokens: 7 })),

  'counts output tokens where output came': () =>
    withEnd(({ finishReason }) => (finishReason === 'stop' ? { outputTokens: 0 } : {})),

  'times itself in seconds, within the time that passed': () =>
    withEnd(() => ({ timings: { prefillS: 12, decodeS: 340, loadS: null, queueS: null } })),

  'runs several generations at once, where it supports concurrency': () =>
    withGenerate(refuseSecond),

  'keeps answers apart that are given at once': () => withGenerate(mixUp, echoBackend()),
}

async function* tagged(): AsyncGenerator<GenerateEvent> {
  for (const text of ['<th', 'ink>one', '</think>']) yield { type: 'text-delta', text }
}

function refuseSecond(generate: Generate): Generate {
  let running = 0
  return async function* (request) {
    if (running > 0) throw new Error('busy')
    running += 1
    try {
      yield* generate(request)
    } finally {
      running -= 1
    }
  }
}

/** Gives the answer of another request that runs at the same time. */
function mixUp(generate: Generate): Generate {
  const running = new Set<GenerateRequest>()
  return async function* (request) {
    running.add(request)
    try {
      await nextTurn()
      const other = [...running].find((one) => one !== request) ?? request
      yield* generate({ ...request, messages: other.messages })
    } finally {
      running.delete(request)
    }
  }
}

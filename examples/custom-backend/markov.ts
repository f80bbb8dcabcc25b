// An engine of your own in one file: a word-level Markov chain that learns from a text and answers with it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Backend,
  type BackendInfo,
  type BackendSupports,
  EnergyBenchError,
  type GenerateEvent,
  type GenerateRequest,
  type LoadedModel,
  unknown,
} from '@energy-bench/spec'

/** Texts to learn from, by the name of their model. */
export interface MarkovOptions {
  readonly texts: Readonly<Record<string, string>>
}

const supports: BackendSupports = { seed: true, concurrency: true, thinking: false }

/** Makes the engine. */
export function createMarkov({ texts }: MarkovOptions): Backend {
  const closing = new AbortController()
  return {
    specVersion: 1,
    id: 'markov',
    supports,
    async load({ id = Object.keys(texts)[0] ?? '' }, { signal } = {}) {
      closing.signal.throwIfAborted()
      const text = texts[id]
      if (text === undefined) throw modelMissing(id, Object.keys(texts))
      await nextTurn()
      signal?.throwIfAborted()
      return createModel(id, learn(text), closing.signal)
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new EnergyBenchError('backend-failed', 'The engine is disposed.'))
    },
  }
}

function createModel(id: string, chain: Chain, backend: AbortSignal): LoadedModel {
  const closing = new AbortController()
  return {
    info: infoOf(id, chain),
    supports,
    async *generate(request) {
      for await (const event of answer(chain, request)) {
        closing.signal.throwIfAborted()
        backend.throwIfAborted()
        request.signal?.throwIfAborted()
        yield event
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new EnergyBenchError('backend-failed', 'The model is disposed.'))
    },
  }
}

/** Every word that was seen after a word. A token is a word with its space. */
type Chain = ReadonlyMap<string, readonly string[]>

const start = ''

function learn(text: string): Chain {
  const chain = new Map<string, string[]>()
  let before = start
  for (const word of text.split(/\s+/)) {
    chain.set(before, [...(chain.get(before) ?? []), word])
    before = word
  }
  return chain
}

async function* answer(chain: Chain, request: GenerateRequest): AsyncGenerator<GenerateEvent> {
  request.signal?.throwIfAborted()
  const { words, isWhole } = say(chain, request)
  const text = words.join(' ')
  const kept = cutAtStop(text, request.stop ?? [])
  for (const piece of kept.match(/\s*\S+/g) ?? []) {
    // Gives way to other work, as an engine that computes each token would.
    await nextTurn()
    yield { type: 'text-delta', text: piece }
  }
  yield {
    type: 'end',
    finishReason: isWhole || kept !== text ? 'stop' : 'length',
    inputTokens: wordsOf(request).length,
    cachedInputTokens: 0,
    outputTokens: words.length,
    thinkingTokens: 0,
    thinking: { asked: request.thinking ?? null, observed: false },
  }
}

/** Goes on from the last word of the prompt; temperature 0 takes the word that was seen first. */
function say(chain: Chain, request: GenerateRequest) {
  const { maxOutputTokens, temperature = 0, seed = 0 } = request
  const random = temperature === 0 ? () => 0 : createRandom(seed)
  const words: string[] = []
  const last = wordsOf(request).at(-1) ?? start
  let next = nextWord(chain, chain.has(last) ? last : start, random)
  while (next !== undefined && words.length < maxOutputTokens) {
    words.push(next)
    next = nextWord(chain, next, random)
  }
  return { words, isWhole: next === undefined }
}

function nextWord(chain: Chain, before: string, random: () => number): string | undefined {
  const seen = chain.get(before) ?? []
  return seen[Math.floor(random() * seen.length)]
}

function wordsOf({ messages }: GenerateRequest): readonly string[] {
  return messages.flatMap(({ content }) => content.split(/\s+/))
}

function cutAtStop(text: string, stop: readonly string[]): string {
  const starts = stop.map((word) => text.indexOf(word)).filter((index) => index >= 0)
  return text.slice(0, Math.min(text.length, ...starts))
}

/** Numbers from 0 to 1 that a seed decides: the linear congruential generator of Numerical Recipes. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function infoOf(id: string, chain: Chain): BackendInfo {
  const none = unknown('a Markov chain has none')
  return {
    engine: 'markov',
    engineVersion: '1.0.0',
    model: id,
    modelDigest: unknown('the text was not hashed'),
    quantization: none,
    contextTokens: 1,
    slots: unknown('it takes as many requests as come'),
    threads: 1,
    gpuLayers: 0,
    deviceUuids: [],
    processId: process.pid,
    promptCache: 'off',
    chatTemplateDigest: none,
    samplingApplied: {},
    settings: { words: chain.size },
  }
}

function modelMissing(id: string, names: readonly string[]): EnergyBenchError {
  return new EnergyBenchError('model-missing', `There is no model "${id}".`, {
    fix: `Choose one of: ${names.join(', ')}.`,
  })
}

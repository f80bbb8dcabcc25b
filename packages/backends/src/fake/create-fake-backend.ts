import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Backend,
  type BackendInfo,
  type BackendSupports,
  EnergyBenchError,
  type GenerateEvent,
  type GenerateRequest,
  type LoadedModel,
  type ModelRef,
} from '@energy-bench/spec'
import { disposedError } from '../shared/backend-errors.js'
import { sleep } from '../shared/sleep.js'
import { fakeAnswer } from './fake-answer.js'

/** Text that a fake gives, fixed or made from the request. */
export type FakeText = string | ((request: GenerateRequest) => string)

/** What the fake engine shall do; all of it is deterministic. */
export interface FakeBackendOptions {
  /** Default `fake`. */
  readonly id?: string
  /** Default `ok`. */
  readonly answer?: FakeText
  /** Thought before the answer unless the request says `thinking: 'off'`. Default none. */
  readonly thinking?: FakeText
  /** Tokens of a prompt. Default: its words plus one. */
  readonly countInput?: (request: GenerateRequest) => number
  /** Seconds of one output token. Default 0, which does not sleep at all. */
  readonly tokenS?: number
  /** Waits; rejects with the reason of the signal. Default: a timer. */
  readonly sleep?: (durationS: number, signal?: AbortSignal) => Promise<void>
  /** Generations that succeed before every further one fails. Default: no limit. */
  readonly failAfter?: number
  /** What a failing generation throws. Default: a `backend-failed`. */
  readonly failure?: Error
  /** Names and paths that can be loaded. Default: any. */
  readonly models?: readonly string[]
  /** Parts of the info to replace. */
  readonly info?: Partial<BackendInfo>
  readonly supports?: Partial<BackendSupports>
}

/**
 * Makes an engine for tests and examples that needs no model. A token is a word with its leading space,
 * and an end token counts as one more, as in a real engine.
 *
 * @example
 * const backend = createFakeBackend({ answer: (request) => String(request.messages.length) })
 */
export function createFakeBackend(options: FakeBackendOptions = {}): Backend {
  const closing = new AbortController()
  const supports = { seed: true, concurrency: true, thinking: true, ...options.supports }
  const counter = { generations: 0 }
  return {
    specVersion: 1,
    id: options.id ?? 'fake',
    supports,
    async load(model, { signal } = {}) {
      closing.signal.throwIfAborted()
      signal?.throwIfAborted()
      checkKnown(model, options.models)
      // A turn of its own, as a real load takes time in which it can be aborted.
      await nextTurn()
      signal?.throwIfAborted()
      return createFakeModel(options, { model, supports, counter, backend: closing.signal })
    },
    async [Symbol.asyncDispose]() {
      closing.abort(disposedError('The fake backend'))
    },
  }
}

interface FakeParts {
  readonly model: ModelRef
  readonly supports: BackendSupports
  /** Shared by all models of a backend, so that `failAfter` counts across loads. */
  readonly counter: { generations: number }
  readonly backend: AbortSignal
}

function createFakeModel(options: FakeBackendOptions, parts: FakeParts): LoadedModel {
  const closing = new AbortController()
  const closed = AbortSignal.any([closing.signal, parts.backend])
  return {
    info: fakeInfo(parts.model, options.info),
    supports: parts.supports,
    async *generate(request) {
      closed.throwIfAborted()
      request.signal?.throwIfAborted()
      countOrFail(options, parts.counter)
      for await (const event of paced(options, request)) {
        closed.throwIfAborted()
        request.signal?.throwIfAborted()
        yield event
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(disposedError('The model'))
    },
  }
}

async function* paced(
  options: FakeBackendOptions,
  request: GenerateRequest,
): AsyncGenerator<GenerateEvent> {
  const { tokenS = 0, sleep: wait = sleep } = options
  for (const event of fakeAnswer(options, request)) {
    if (tokenS > 0 && event.type !== 'end') await wait(tokenS, request.signal)
    yield event
  }
}

function countOrFail(options: FakeBackendOptions, counter: { generations: number }): void {
  counter.generations += 1
  if (counter.generations <= (options.failAfter ?? Number.POSITIVE_INFINITY)) return
  throw (
    options.failure ??
    new EnergyBenchError('backend-failed', `The fake fails at generation ${counter.generations}.`, {
      fix: 'Raise failAfter.',
    })
  )
}

function checkKnown({ id, path }: ModelRef, models: readonly string[] | undefined): void {
  const name = id ?? path
  if (models === undefined || name === undefined || models.includes(name)) return
  throw new EnergyBenchError('model-missing', `The fake has no model "${name}".`, {
    fix: `Choose one of: ${models.join(', ')}.`,
  })
}

function fakeInfo({ id, path }: ModelRef, changes: Partial<BackendInfo> = {}): BackendInfo {
  return {
    engine: 'fake',
    engineVersion: '1',
    model: id ?? path ?? 'fake',
    modelDigest: `sha256:${'0'.repeat(64)}`,
    quantization: 'F16',
    contextTokens: 4096,
    slots: 1,
    threads: 1,
    gpuLayers: 0,
    deviceUuids: [],
    processId: process.pid,
    promptCache: 'off',
    chatTemplateDigest: `sha256:${'1'.repeat(64)}`,
    samplingApplied: {},
    settings: {},
    ...changes,
  }
}

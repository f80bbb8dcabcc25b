// An engine of your own behind the interface, tested against the contract. The engine here only echoes.
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
// #region backend
import { assertBackendContract } from '@energy-bench/backends/contract'
import {
  type Backend,
  EnergyBenchError,
  type GenerateEvent,
  type GenerateRequest,
  type LoadedModel,
  unknown,
} from '@energy-bench/spec'

const supports = { seed: true, concurrency: true, thinking: false }

async function* echo({
  messages,
  maxOutputTokens,
  thinking,
  signal,
}: GenerateRequest): AsyncGenerator<GenerateEvent> {
  signal?.throwIfAborted()
  const words = messages
    .map((message) => message.content)
    .join(' ')
    .split(' ')
  const said = words.slice(0, maxOutputTokens)
  for (const word of said) {
    await nextTurn()
    signal?.throwIfAborted()
    yield { type: 'text-delta', text: `${word} ` }
  }
  const finishReason = said.length < words.length ? 'length' : 'stop'
  const counts = { inputTokens: words.length, outputTokens: said.length }
  const noThinking = { thinkingTokens: 0, thinking: { asked: thinking ?? null, observed: false } }
  yield { type: 'end', finishReason, ...counts, cachedInputTokens: 0, ...noThinking }
}

function createEchoModel(name: string): LoadedModel {
  let isDisposed = false
  const silent = unknown('the echo engine has none')
  return {
    supports,
    info: {
      engine: 'echo',
      engineVersion: '1.0.0',
      model: name,
      modelDigest: silent,
      quantization: silent,
      contextTokens: silent,
      slots: silent,
      threads: 1,
      gpuLayers: 0,
      deviceUuids: [],
      processId: process.pid,
      promptCache: 'off',
      chatTemplateDigest: silent,
      samplingApplied: silent,
      settings: {},
    },
    async *generate(request) {
      if (isDisposed) throw new EnergyBenchError('backend-failed', 'The model is disposed.')
      yield* echo(request)
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
    },
  }
}

function createEcho(): Backend {
  let isDisposed = false
  return {
    specVersion: 1,
    id: 'echo',
    supports,
    async load({ id }) {
      if (isDisposed) throw new EnergyBenchError('backend-failed', 'The engine is disposed.')
      if (id === 'echo-1') return createEchoModel(id)
      throw new EnergyBenchError('model-missing', `There is no model ${id}.`, {
        fix: 'Use echo-1.',
      })
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
    },
  }
}

await assertBackendContract({ create: createEcho, model: { id: 'echo-1' } })
// #endregion backend

await assert.rejects(
  assertBackendContract({ create: () => ({ ...createEcho(), id: '' }), model: { id: 'other' } }),
  { code: 'contract-violated' },
)

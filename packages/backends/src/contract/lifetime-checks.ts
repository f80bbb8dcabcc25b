import assert from 'node:assert/strict'
import { isEnergyBenchError } from '@energy-bench/spec'
import { type CheckBody, eventsOf } from './check-context.js'

/** Checks of disposal. */
export const lifetimeChecks = {
  'can be disposed twice': async (context) => {
    const backend = await context.create()
    const model = await backend.load(context.model)
    await model[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
    await backend[Symbol.asyncDispose]()
    await backend[Symbol.asyncDispose]()
  },

  'rejects a generation after the model was disposed': async (context) => {
    await using backend = await context.create()
    const model = await backend.load(context.model)
    await model[Symbol.asyncDispose]()
    const error = await eventsOf(model, context.request).catch((reason: unknown) => reason)
    assert.ok(isEnergyBenchError(error), `it gave ${String(error)}, not an EnergyBenchError`)
  },

  'rejects a load after the backend was disposed': async (context) => {
    const backend = await context.create()
    await backend[Symbol.asyncDispose]()
    const error = await backend.load(context.model).catch((reason: unknown) => reason)
    assert.ok(isEnergyBenchError(error), `load gave ${String(error)}, not an EnergyBenchError`)
  },
} satisfies Record<string, CheckBody>

import assert from 'node:assert/strict'
import { type BackendInfo, isEnergyBenchError, isUnknown } from '@energy-bench/spec'
import { type CheckBody, eventsOf, withModel } from './check-context.js'

/** Checks of what a backend says about itself and its models. */
export const engineChecks = {
  'names itself and the version of the specification': async (context) => {
    await using backend = await context.create()
    assert.equal(backend.specVersion, 1, `specVersion is ${backend.specVersion}, not 1`)
    assert.match(backend.id, /^[a-z0-9][a-z0-9-]*$/, `id "${backend.id}" is not kebab-case`)
  },

  'tells every fact of the run, or why it is unknown': (context) =>
    withModel(context, async ({ info }) => {
      assert.ok(info.engine !== '', 'info.engine is empty')
      for (const name of factNames) checkFact(name, info[name])
    }),

  'tells the same facts before and after a generation': (context) =>
    withModel(context, async (model) => {
      const before = structuredClone(model.info)
      await eventsOf(model, context.request)
      assert.deepEqual(model.info, before, 'info changed: read it once, when the model is loaded')
    }),

  'claims no ability for a model that the engine does not claim': async (context) => {
    await using backend = await context.create()
    await using model = await backend.load(context.model)
    for (const name of ['seed', 'concurrency', 'thinking'] as const) {
      const isMore = model.supports[name] && !backend.supports[name]
      assert.ok(!isMore, `supports.${name} is true for the model and false for the backend`)
    }
  },

  'rejects a model that it does not have': async (context) => {
    await using backend = await context.create()
    const error = await backend.load(context.unknownModel).then(
      async (model) => {
        await model[Symbol.asyncDispose]()
      },
      (reason: unknown) => reason,
    )
    assert.ok(isEnergyBenchError(error), `load gave ${String(error)}, not an EnergyBenchError`)
    const codes = ['model-missing', 'model-invalid', 'backend-unavailable']
    assert.ok(codes.includes(error.code), `load rejected with code "${error.code}"`)
  },
} satisfies Record<string, CheckBody>

const factNames = [
  'engineVersion',
  'model',
  'modelDigest',
  'quantization',
  'contextTokens',
  'slots',
  'threads',
  'gpuLayers',
  'deviceUuids',
  'processId',
  'promptCache',
  'chatTemplateDigest',
  'samplingApplied',
] as const satisfies readonly (keyof BackendInfo)[]

function checkFact(name: (typeof factNames)[number], fact: unknown): void {
  if (isUnknown(fact)) {
    assert.ok(fact.reason !== '', `info.${name} is unknown without a reason`)
    return
  }
  assert.ok(fact !== undefined && fact !== null && fact !== '', `info.${name} is ${String(fact)}`)
  assert.ok(typeof fact !== 'number' || Number.isInteger(fact), `info.${name} is ${String(fact)}`)
  if (name !== 'modelDigest' && name !== 'chatTemplateDigest') return
  assert.match(String(fact), /^sha256:[0-9a-f]{64}$/, `info.${name} is "${String(fact)}"`)
}

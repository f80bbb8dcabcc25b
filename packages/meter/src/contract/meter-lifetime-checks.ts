import assert from 'node:assert/strict'
import { isEnergyBenchError } from '@energy-bench/spec'
import type { CheckBodies } from './contract-check.js'
import type { MeterCheckContext } from './meter-contract.js'

/** Checks of disposal. */
export const meterLifetimeChecks = {
  'can be disposed twice': async ({ create }) => {
    const meter = await create()
    await meter[Symbol.asyncDispose]()
    await meter[Symbol.asyncDispose]()
  },

  'rejects a question after it was disposed': async ({ create }) => {
    const meter = await create()
    const nowS = meter.now()
    await meter[Symbol.asyncDispose]()
    const error = await meter.energyBetween(nowS - 1, nowS).catch((reason: unknown) => reason)
    assert.ok(isEnergyBenchError(error), `it gave ${String(error)}, not an EnergyBenchError`)
  },
} satisfies CheckBodies<MeterCheckContext>

import assert from 'node:assert/strict'
import { isUnavailable } from '@energy-bench/spec'
import type { CheckBodies } from './contract-check.js'
import type { SourceCheckContext } from './source-contract.js'

/** Checks of disposal. */
export const sourceLifetimeChecks = {
  'can be disposed twice': async ({ create }) => {
    const source = await create()
    await source[Symbol.asyncDispose]()
    await source[Symbol.asyncDispose]()
  },

  'gives no value after it was disposed': async ({ create, between }) => {
    const source = await create()
    await between(0)
    await source.sample().catch(() => undefined)
    await source[Symbol.asyncDispose]()
    const sample = await source.sample().catch(() => undefined)
    for (const [id, value] of Object.entries(sample?.domains ?? {})) {
      assert.ok(isUnavailable(value), `${id} still has a value`)
    }
  },
} satisfies CheckBodies<SourceCheckContext>

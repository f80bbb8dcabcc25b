import assert from 'node:assert/strict'
import { isUnavailable, type SourceSample } from '@energy-bench/spec'
import { checkFinite, checkIds, checkKeys, checkUnavailable } from './check-value.js'
import type { CheckBodies } from './contract-check.js'
import type { SourceCheckContext } from './source-contract.js'
import { energiesIn, powersIn, reasonsIn, withSamples } from './source-samples.js'

/** Checks of what a source gives. */
export const sourceSampleChecks = {
  'has an id, and names its domains once each': async ({ create }) => {
    await using source = await create()
    assert.ok(source.id !== '', 'the source has no id')
    checkIds(source.domains)
  },

  'has a device for each domain': async ({ create }) => {
    await using source = await create()
    const ids = source.devices.map(({ id }) => id)
    for (const { id, deviceId } of source.domains) {
      assert.ok(
        ids.includes(deviceId),
        `${id} belongs to ${deviceId}, which is none of ${ids.join(', ')}`,
      )
    }
  },

  'gives each of its domains over some polls, and never another': (context) =>
    withSamples(context, ({ source, samples }) => {
      const entries = Object.assign({}, ...samples.map(({ domains }) => domains))
      if (samples.length > 0) checkKeys(source.domains, entries, 'what it gave')
    }),

  'never throws in place of a sample': (context) =>
    withSamples(context, ({ errors }) => {
      assert.equal(errors.length, 0, `sample threw ${String(errors[0])}`)
    }),

  'takes its samples in the order of time': (context) =>
    withSamples(context, ({ samples }) => {
      const timesS = samples.flatMap(({ startS, endS }) => [startS, endS])
      for (const timeS of timesS) checkFinite('a time', timeS)
      assert.deepEqual(
        timesS,
        timesS.toSorted((a, b) => a - b),
        `it said ${timesS.join(', ')} s`,
      )
    }),

  'gives finite energies that never fall without a reason': (context) =>
    withSamples(context, ({ source, samples }) => {
      for (const { energyJ, id } of energiesIn(samples)) checkFinite(`energy of ${id}`, energyJ)
      for (const { id } of source.domains) checkRise(id, samples)
    }),

  'dates what it publishes in order, and not after the poll': (context) =>
    withSamples(context, ({ source, samples }) => {
      for (const { id } of source.domains) checkStamps(id, samples)
    }),

  'gives power that is finite, not negative and in the order of time': (context) =>
    withSamples(context, ({ samples }) => {
      for (const { id, samples: list } of powersIn(samples)) {
        for (const { powerW } of list) {
          assert.ok(powerW >= 0 && Number.isFinite(powerW), `power of ${id} is ${powerW} W`)
        }
        const timesS = list.map(({ timeS }) => timeS)
        assert.deepEqual(
          timesS,
          timesS.toSorted((a, b) => a - b),
          `${id}: ${timesS.join(', ')} s`,
        )
      }
    }),

  'says why, where it has no value': (context) =>
    withSamples(context, ({ samples }) => {
      for (const [id, why] of reasonsIn(samples)) checkUnavailable(id, why)
    }),
} satisfies CheckBodies<SourceCheckContext>

/** Energy may fall only across a sample that says why. */
function checkRise(id: string, samples: readonly SourceSample[]): void {
  let beforeJ: number | undefined
  for (const { domains } of samples) {
    const value = domains[id]
    if (value === undefined || isUnavailable(value) || value.type !== 'energy') beforeJ = undefined
    else {
      const isRising = beforeJ === undefined || !(value.energyJ < beforeJ)
      assert.ok(isRising, `energy of ${id} fell from ${beforeJ} to ${value.energyJ} J`)
      beforeJ = value.energyJ
    }
  }
}

function checkStamps(id: string, samples: readonly SourceSample[]): void {
  let beforeS = Number.NEGATIVE_INFINITY
  for (const sample of samples) {
    for (const { atS } of energiesIn([sample]).filter((energy) => energy.id === id)) {
      if (atS === undefined) continue
      assert.ok(atS <= sample.endS, `${id} was published at ${atS} s, after the poll`)
      assert.ok(atS >= beforeS, `${id} was published at ${beforeS} s and then at ${atS} s`)
      beforeS = atS
    }
  }
}

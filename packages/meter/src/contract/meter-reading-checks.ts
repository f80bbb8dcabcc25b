import assert from 'node:assert/strict'
import { type DomainEnergy, isUnavailable, type MeasuredEnergy } from '@energy-bench/spec'
import { checkFinite, checkIds, checkKeys, checkUnavailable } from './check-value.js'
import type { CheckBodies } from './contract-check.js'
import type { MeterCheckContext } from './meter-contract.js'
import { readWhole, withWindow } from './meter-window.js'

/** Checks of what a meter says about itself and one window. */
export const meterReadingChecks = {
  'names the version of the specification, its domains once each, and why it chose them': async ({
    create,
  }) => {
    await using meter = await create()
    assert.equal(meter.specVersion, 1, `specVersion is ${meter.specVersion}, not 1`)
    checkIds(meter.domains)
    assert.ok(meter.selection.length > 0, 'selection is empty')
    assert.ok(!meter.selection.includes(''), 'a sentence of selection is empty')
  },

  'answers with each of its domains and no other': (context) =>
    withWindow(context, async (window) => {
      const { domains } = await readWhole(window)
      checkKeys(window.meter.domains, domains, 'a reading')
    }),

  'repeats the window that was asked for': (context) =>
    withWindow(context, async (window) => {
      const { startS, endS, durationS } = await readWhole(window)
      assert.deepEqual([startS, endS], [window.startS, window.endS], 'it read another window')
      assert.ok(Math.abs(durationS - (endS - startS)) < 1e-9, `durationS is ${durationS}`)
    }),

  'gives finite energies, with an uncertainty that is not negative': (context) =>
    withWindow(context, async (window) => {
      const { domains } = await readWhole(window)
      for (const [id, energy] of measuredOf(domains)) {
        checkFinite(`${id} energyJ`, energy.energyJ)
        const isCertain = energy.uncertaintyJ >= 0 && Number.isFinite(energy.uncertaintyJ)
        assert.ok(isCertain, `${id} uncertaintyJ is ${energy.uncertaintyJ}`)
      }
    }),

  'says how it read: method, detail, tick, changes and coverage': (context) =>
    withWindow(context, async (window) => {
      const { domains } = await readWhole(window)
      for (const [id, energy] of measuredOf(domains)) checkManner(id, energy)
      for (const { id, method } of window.meter.domains) {
        const energy = domains[id]
        if (energy === undefined || isUnavailable(energy)) continue
        assert.equal(energy.method, method, `${id} was read as ${energy.method}, not ${method}`)
      }
    }),

  'says why, where it has no energy': (context) =>
    withWindow(context, async (window) => {
      const { domains } = await readWhole(window)
      for (const [id, energy] of Object.entries(domains)) {
        if (isUnavailable(energy)) checkUnavailable(id, energy)
      }
    }),

  'gives device states inside the window, oldest first': (context) =>
    withWindow(context, async ({ meter, startS, endS }) => {
      const timesS = meter.statesBetween(startS, endS).map(({ timeS }) => timeS)
      for (const timeS of timesS) {
        assert.ok(timeS >= startS && timeS <= endS, `a state of ${timeS} s is outside the window`)
      }
      assert.deepEqual(
        timesS,
        timesS.toSorted((a, b) => a - b),
        'the states are not in order',
      )
    }),
} satisfies CheckBodies<MeterCheckContext>

function checkManner(id: string, energy: MeasuredEnergy): void {
  const { detail, tickS, changes, coverageRatio } = energy
  assert.ok(detail !== '', `${id} has no detail`)
  assert.ok(tickS >= 0 && Number.isFinite(tickS), `${id} tickS is ${tickS}`)
  assert.ok(Number.isInteger(changes) && changes >= 0, `${id} changes is ${changes}`)
  assert.ok(coverageRatio >= 0 && coverageRatio <= 1, `${id} coverageRatio is ${coverageRatio}`)
}

function measuredOf(
  domains: Readonly<Record<string, DomainEnergy>>,
): readonly (readonly [string, MeasuredEnergy])[] {
  return Object.entries(domains).flatMap(([id, energy]) =>
    isUnavailable(energy) ? [] : [[id, energy] as const],
  )
}

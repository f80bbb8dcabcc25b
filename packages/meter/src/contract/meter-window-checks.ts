import assert from 'node:assert/strict'
import { type EnergyReading, isUnavailable } from '@energy-bench/spec'
import type { CheckBodies } from './contract-check.js'
import type { MeterCheckContext } from './meter-contract.js'
import { readWhole, withWindow } from './meter-window.js'

/** Ten at once is more than a sweep asks. */
const ASKERS = 10

/** Checks of several windows against each other. */
export const meterWindowChecks = {
  'gives parts that add up to the whole': (context) =>
    withWindow(context, async (window) => {
      const { meter, startS, endS } = window
      const whole = await readWhole(window)
      const edges = [0, 0.31, 0.77, 1].map((share) => startS + share * (endS - startS))
      const parts: EnergyReading[] = []
      for (const [index, fromS] of edges.slice(0, -1).entries()) {
        parts.push(await meter.energyBetween(fromS, edges[index + 1] ?? endS))
      }
      for (const { id } of meter.domains) checkSum(id, whole, parts)
    }),

  'calls a window without length invalid': (context) =>
    withWindow(context, async ({ meter, startS, endS }) => {
      for (const [fromS, untilS] of [
        [endS, endS],
        [endS, startS],
        [startS, Number.NaN],
      ] as const) {
        const { domains } = await meter.energyBetween(fromS, untilS)
        for (const [id, energy] of Object.entries(domains)) {
          const given = isUnavailable(energy) ? energy.reason : `${energy.energyJ} J`
          assert.ok(isUnavailable(energy), `${id} gave ${given} from ${fromS} to ${untilS} s`)
        }
      }
    }),

  'waits for a window that ends in the future': async ({ create, pass, windowS }) => {
    await using meter = await create()
    await pass(windowS, meter)
    const startS = meter.now()
    const asked = meter.energyBetween(startS, startS + windowS / 2)
    await pass(windowS, meter)
    const { domains } = await asked
    const later = await meter.energyBetween(startS, startS + windowS / 2)
    assert.deepEqual(energiesOf({ domains }), energiesOf(later), 'it answered before it could know')
  },

  'says the same to ten who ask at once, and to one who asks later': (context) =>
    withWindow(context, async (window) => {
      const readings = await Promise.all(Array.from({ length: ASKERS }, () => readWhole(window)))
      const later = energiesOf(await readWhole(window))
      for (const reading of readings) assert.deepEqual(energiesOf(reading), later)
    }),

  'keeps a clock that never goes back': (context) =>
    withWindow(context, async ({ meter, startS, endS }) => {
      const nowS = [meter.now(), meter.now(), meter.now()]
      const timesS = [startS, endS, ...nowS]
      assert.deepEqual(
        timesS,
        timesS.toSorted((a, b) => a - b),
        `it said ${timesS.join(', ')} s`,
      )
    }),
} satisfies CheckBodies<MeterCheckContext>

function checkSum(id: string, whole: EnergyReading, parts: readonly EnergyReading[]): void {
  const wholeJ = energiesOf(whole)[id]
  const partsJ = parts.map((part) => energiesOf(part)[id])
  if (typeof wholeJ !== 'number') return
  const sumJ = partsJ.reduce<number>(
    (sum, partJ) => sum + (typeof partJ === 'number' ? partJ : Number.NaN),
    0,
  )
  const isEqual = Math.abs(sumJ - wholeJ) <= 1e-6 * Math.max(1, Math.abs(wholeJ))
  assert.ok(isEqual, `${id}: the parts give ${partsJ.join(' + ')} J, the whole ${wholeJ} J`)
}

/** Energies, or the reasons in their place. */
function energiesOf({ domains }: Pick<EnergyReading, 'domains'>): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(domains).map(([id, energy]) => [
      id,
      isUnavailable(energy) ? energy.reason : energy.energyJ,
    ]),
  )
}

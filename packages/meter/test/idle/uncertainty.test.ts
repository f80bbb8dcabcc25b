import { isUnavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import type { IdlePower } from '../../src/idle/idle-baseline.js'
import { type MeasureIdleOptions, measureIdle } from '../../src/idle/measure-idle.js'
import { correlatedStandardError } from '../../src/idle/standard-error.js'
import { createRandom } from '../timeline/simulated-load.js'
import { createPowerMeter } from './power-meter.js'

/** Numbers of a normal distribution, each like the one before it by `correlation`. */
function createNoise(correlation: number, random: () => number): () => number {
  let last = 0
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return () => {
    last = correlation * last + Math.sqrt(1 - correlation ** 2) * normal()
    return last
  }
}

async function idleOf(
  powerW: (timeS: number) => number,
  options: MeasureIdleOptions = {},
): Promise<IdlePower & { readonly waitedS: number; readonly isSettled: boolean | undefined }> {
  const meter = createPowerMeter({ powerW })
  const idle = await measureIdle(meter, { delay: meter.delay, ...options })
  const power = idle.domains.a
  if (power === undefined || isUnavailable(power)) throw new Error('no power')
  return { ...power, waitedS: idle.settling?.waitedS ?? 0, isSettled: idle.settling?.isSettled }
}

describe.each([0, 0.5, 0.8])('values that are alike to their neighbours by %d', (correlation) => {
  test('have a mean whose error is as large as stated', () => {
    const random = createRandom(1)
    const runs = Array.from({ length: 400 }, () => {
      const noise = createNoise(correlation, random)
      const values = Array.from({ length: 60 }, noise)
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      return { mean, stated: correlatedStandardError(values) }
    })
    const truth = Math.sqrt(runs.reduce((sum, { mean }) => sum + mean ** 2, 0) / runs.length)
    const stated = Math.sqrt(runs.reduce((sum, run) => sum + run.stated ** 2, 0) / runs.length)
    expect(stated / truth).toBeGreaterThan(0.8)
    expect(stated / truth).toBeLessThan(1.35)
  })
})

test('one value, or values that are all the same, have no scatter', () => {
  expect(correlatedStandardError([4])).toBe(0)
  expect(correlatedStandardError([4, 4, 4])).toBe(0)
})

test('a slow swing of the power makes the idle power less certain than quick noise of the same size', async () => {
  const quick = await idleOf((timeS) => 120 + 5 * Math.sin(67 * timeS))
  const slow = await idleOf((timeS) => 120 + 5 * Math.sin(timeS))
  expect(quick.powerW).toBeCloseTo(120, 0)
  expect(quick.uncertaintyW).toBeLessThan(0.5)
  expect(slow.uncertaintyW).toBeGreaterThan(1)
  expect(Math.abs(slow.powerW - 120)).toBeLessThan(2 * slow.uncertaintyW)
})

describe('settling', () => {
  const falling = (timeS: number): number => 120 + 500 * Math.exp(-timeS / 2)

  test('without it, the decay of the last work is in the idle power', async () => {
    expect((await idleOf(falling)).powerW).toBeGreaterThan(140)
  })

  test('auto waits until the power is flat', async () => {
    const idle = await idleOf(falling, { settleS: 'auto' })
    expect(idle.isSettled).toBe(true)
    expect(idle.waitedS).toBeGreaterThan(8)
    expect(idle.powerW).toBeCloseTo(120, 0)
  })

  test('auto is quick where the power is flat already', async () => {
    expect((await idleOf(() => 120, { settleS: 'auto' })).waitedS).toBeLessThan(3)
  })

  test('auto gives up after 30 s and says so', async () => {
    const idle = await idleOf((timeS) => 1000 - 10 * timeS, { settleS: 'auto' })
    expect(idle.isSettled).toBe(false)
    expect(idle.waitedS).toBeLessThanOrEqual(30)
  })

  test('a number waits so long', async () => {
    expect((await idleOf(falling, { settleS: 12 })).powerW).toBeCloseTo(120, 0)
  })
})

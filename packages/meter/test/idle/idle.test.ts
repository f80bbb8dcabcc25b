import type { EnergyReading, MeasuredEnergy } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { createFakeMeter } from '../../src/fake.js'
import { combineIdle } from '../../src/idle/combine-idle.js'
import type { IdleBaseline } from '../../src/idle/idle-baseline.js'
import { measureIdle } from '../../src/idle/measure-idle.js'
import { netEnergy } from '../../src/idle/net-energy.js'

function baseline(powerW: number, uncertaintyW: number): IdleBaseline {
  return { startS: 0, endS: 10, domains: { a: { powerW, uncertaintyW } } }
}

function reading(energyJ: number, uncertaintyJ: number): EnergyReading {
  const energy: MeasuredEnergy = {
    status: 'measured',
    energyJ,
    uncertaintyJ,
    method: 'counter',
    detail: '',
    tickS: 0.1,
    changes: 100,
    coverageRatio: 1,
  }
  return { startS: 0, endS: 10, durationS: 10, domains: { a: energy } }
}

test('row 49: net energy is gross less idle power times duration, with both uncertainties', () => {
  expect(netEnergy(reading(3000, 3), baseline(100, 0.4)).domains.a).toMatchObject({
    energyJ: 2000,
    uncertaintyJ: 5,
  })
})

test('net energy may be negative', () => {
  expect(netEnergy(reading(990, 3), baseline(100, 1)).domains.a).toMatchObject({ energyJ: -10 })
})

test('without idle power there is no net energy', () => {
  const missing = { ...baseline(1, 1), domains: { a: unavailable('device-lost', 'gone') } }
  expect(netEnergy(reading(990, 3), missing).domains.a).toMatchObject({ reason: 'device-lost' })
  expect(netEnergy(reading(990, 3), { ...missing, domains: {} }).domains.a).toMatchObject({
    reason: 'no-data',
  })
})

test('two baselines make their mean; half the difference is the uncertainty when it is larger', () => {
  const { baseline: both, driftRatio } = combineIdle(baseline(100, 1), baseline(110, 1))
  expect(both.domains.a).toEqual({ powerW: 105, uncertaintyW: 5 })
  expect(driftRatio.a).toBeCloseTo(10 / 105, 9)
})

test.each([
  ['5 %', baseline(20, 0.1), baseline(21.2, 0.1), ['a']],
  ['3 W', baseline(120, 0.3), baseline(123.5, 0.3), ['a']],
  ['less than both', baseline(120, 0.3), baseline(122, 0.3), []],
  ['what chance explains', baseline(2, 0.2), baseline(2.3, 0.2), []],
] as const)('a drift of %s is named, or not', (...[, before, after, drifted]) => {
  expect(combineIdle(before, after).drifted).toEqual(drifted)
})

test('two baselines that agree make a better one', () => {
  const combined = combineIdle(baseline(100, 3), baseline(100, 4)).baseline.domains.a
  expect(combined).toEqual({ powerW: 100, uncertaintyW: 2.5 })
})

test('idle power is measured one tick away from what surrounds it', async () => {
  await using meter = createFakeMeter({ powerW: 300, idleW: 120, tickS: 0.02 })
  const begunS = meter.now()
  const idle = await measureIdle(meter, { durationS: 0.2 })
  expect(idle.startS - begunS).toBeGreaterThanOrEqual(0.02)
  expect(meter.now() - idle.endS).toBeGreaterThanOrEqual(0.02)
  const power = Object.values(idle.domains)[0]
  if (power === undefined || isUnavailable(power)) throw new Error('no power')
  expect(power.powerW).toBeCloseTo(120, 6)
})

test('measuring the idle power can be aborted', async () => {
  await using meter = createFakeMeter()
  await expect(measureIdle(meter, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

import { isUnavailable, type MeasuredEnergy, unavailable } from '@energy-bench/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimeline, type Timeline } from '../../src/timeline/timeline.js'

function feed(samples: readonly (readonly [timeS: number, powerW: number])[]): Timeline {
  const timeline = createTimeline({ method: 'integrated-power', type: 'power', maxPowerW: 1000 })
  for (const [timeS, powerW] of samples) {
    timeline.add({ type: 'power', samples: [{ timeS, powerW }] }, timeS, timeS)
  }
  return timeline
}

function measured(timeline: Timeline, startS: number, endS: number): MeasuredEnergy {
  const energy = timeline.energyBetween(startS, endS)
  if (isUnavailable(energy)) throw new Error(energy.detail)
  return energy
}

const ramp = Array.from({ length: 51 }, (_, index) => [index / 10, 20 * index] as const)

test('a ramp is integrated exactly, also between the samples', () => {
  expect(measured(feed(ramp), 1.05, 3.55).energyJ).toBeCloseTo(100 * (3.55 ** 2 - 1.05 ** 2), 6)
})

test('real times count, not their number', () => {
  expect(
    measured(
      feed([
        [0, 100],
        [0.1, 100],
        [0.35, 200],
        [0.4, 200],
      ]),
      0,
      0.4,
    ).energyJ,
  ).toBeCloseTo(10 + 37.5 + 10, 9)
})

test('adjacent windows add up to the whole', () => {
  const timeline = feed(ramp)
  const time = fc.double({ min: 0.01, max: 4.99, noNaN: true })
  fc.assert(
    fc.property(time, time, time, (a, b, c) => {
      const [x = 0, y = 0, z = 0] = [a, b, c].sort((first, second) => first - second)
      fc.pre(y - x > 1e-6 && z - y > 1e-6)
      const partsJ = measured(timeline, x, y).energyJ + measured(timeline, y, z).energyJ
      expect(partsJ).toBeCloseTo(measured(timeline, x, z).energyJ, 6)
    }),
  )
})

test('a gap lowers the coverage and widens the uncertainty', () => {
  const whole = feed(ramp.map(([timeS]) => [timeS, 300]))
  const gap = feed(ramp.filter(([timeS]) => timeS < 2 || timeS > 3).map(([timeS]) => [timeS, 300]))
  expect(measured(whole, 1, 4).uncertaintyJ).toBe(0)
  expect(measured(gap, 1, 4).coverageRatio).toBeCloseTo(1 - 1.2 / 3, 6)
  expect(measured(gap, 1, 4).uncertaintyJ).toBeGreaterThan(50)
  expect(gap.energyBetween(2, 3)).toMatchObject({ reason: 'no-data' })
})

test('absurd power is left out; nothing but absurd power is implausible', () => {
  const timeline = feed([
    [0, 100],
    [0.1, 3_700_000],
    [0.2, 100],
    [0.3, 100],
  ])
  expect(measured(timeline, 0, 0.3).energyJ).toBeCloseTo(30, 9)
  expect(timeline.rejected()).toBe(1)
  expect(feed([[0, 3_700_000]]).energyBetween(0, 1)).toMatchObject({ reason: 'implausible' })
})

test('a device that is lost in the window is named so', () => {
  const timeline = feed(ramp)
  timeline.add(unavailable('device-lost', 'gone'), 5.1, 5.1)
  expect(timeline.energyBetween(4, 6)).toMatchObject({ reason: 'device-lost' })
})

import { isUnavailable, type MeasuredEnergy, unavailable } from '@energy-bench/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTimeline, type Timeline } from '../../src/timeline/timeline.js'
import { feedTicks } from './tick-feed.js'

function measured(timeline: Timeline, startS: number, endS: number): MeasuredEnergy {
  const energy = timeline.energyBetween(startS, endS)
  if (isUnavailable(energy)) throw new Error(energy.detail)
  return energy
}

describe('constant power', () => {
  const timeline = feedTicks()

  test('a window between two ticks gets its share of the tick', () => {
    const energy = measured(timeline, 1.23, 1.26)
    expect(energy.energyJ).toBeCloseTo(400 * 0.03, 0)
    expect(energy.changes).toBe(0)
  })

  test('the uncertainty covers the truth and is that of two dates', () => {
    const energy = measured(timeline, 1.234, 3.456)
    expect(Math.abs(energy.energyJ - 400 * 2.222)).toBeLessThan(2 * energy.uncertaintyJ)
    expect(energy.uncertaintyJ).toBeGreaterThan(0.2)
    expect(energy.uncertaintyJ).toBeLessThan(2)
    expect(energy).toMatchObject({
      method: 'counter',
      detail: 'counter, edges interpolated',
      changes: 22,
      coverageRatio: 1,
    })
    expect(energy.tickS).toBeCloseTo(0.1, 3)
  })
})

test('adjacent windows add up to the whole', () => {
  const timeline = feedTicks({ powerW: (timeS) => 100 + 500 * Math.abs(Math.sin(7 * timeS)) })
  const time = fc.double({ min: 0.2, max: 4.8, noNaN: true })
  fc.assert(
    fc.property(fc.uniqueArray(time, { minLength: 3, maxLength: 8 }), (times) => {
      const [first = 0, ...rest] = [...times].sort((a, b) => a - b)
      fc.pre(rest.every((timeS, index) => timeS - ([first, ...rest][index] ?? 0) > 1e-6))
      let sumJ = 0
      let fromS = first
      for (const untilS of rest) {
        sumJ += measured(timeline, fromS, untilS).energyJ
        fromS = untilS
      }
      expect(sumJ).toBeCloseTo(measured(timeline, first, fromS).energyJ, 6)
    }),
  )
})

test('the uncertainty covers the truth for steps of power anywhere', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 2, noNaN: true }),
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      (stepS, lengthS) => {
        // Power rises in a tick; the tick itself holds the exact energy of both parts.
        const energyAt = (timeS: number): number => 100 * timeS + 500 * Math.max(0, timeS - stepS)
        const timeline = createTimeline({ method: 'counter', type: 'tick' })
        for (let poll = 0; poll < 1000; poll += 1) {
          const startS = 0.005 * poll + 0.0005
          timeline.add(
            { type: 'energy', energyJ: energyAt(Math.floor(startS * 10) / 10) },
            startS,
            startS + 0.001,
          )
        }
        const energy = measured(timeline, stepS, stepS + lengthS)
        const truthJ = energyAt(stepS + lengthS) - energyAt(stepS)
        expect(Math.abs(energy.energyJ - truthJ)).toBeLessThan(2.5 * energy.uncertaintyJ)
      },
    ),
  )
})

describe('lost polls', () => {
  test('row 23: a gap inside the window keeps the energy and shows in the coverage', () => {
    const timeline = feedTicks({ isLost: (timeS) => timeS > 2 && timeS < 2.5 })
    const energy = measured(timeline, 1, 4)
    expect(energy.energyJ).toBeCloseTo(1200, 0)
    expect(energy.coverageRatio).toBeLessThan(0.9)
    expect(energy.coverageRatio).toBeGreaterThan(0.75)
  })

  test('an edge inside a gap widens the uncertainty', () => {
    const whole = measured(feedTicks(), 1, 2.25)
    const gap = measured(feedTicks({ isLost: (timeS) => timeS > 2 && timeS < 2.5 }), 1, 2.25)
    expect(gap.uncertaintyJ).toBeGreaterThan(10 * whole.uncertaintyJ)
    expect(Math.abs(gap.energyJ - 500)).toBeLessThan(gap.uncertaintyJ)
  })

  test('one late poll does not move the energy: the tick is even', () => {
    const timeline = feedTicks({ isLost: (timeS) => timeS > 2.905 && timeS < 3.04 })
    expect(Math.abs(measured(timeline, 1, 2.95).energyJ - 780)).toBeLessThan(3)
  })
})

describe('what is no reading', () => {
  test.each([
    ['no length', [2, 2], 'window-invalid'],
    ['negative length', [3, 2], 'window-invalid'],
    ['a start before the first change (row 53: the first value is no power)', [0.01, 2], 'no-data'],
    ['an end after the last change', [2, 9], 'no-data'],
  ] as const)('a window with %s', (_, [startS, endS], reason) => {
    expect(feedTicks().energyBetween(startS, endS)).toMatchObject({ status: 'unavailable', reason })
  })

  test('a counter that stands still', () => {
    const timeline = feedTicks({ powerW: () => 0 })
    expect(timeline.energyBetween(1, 2)).toMatchObject({ reason: 'no-data' })
  })

  test('a counter that starts again spoils the windows across it, and only those', () => {
    const timeline = feedTicks({ durationS: 2 })
    for (let poll = 0; poll < 400; poll += 1) {
      const startS = 2.001 + 0.005 * poll
      timeline.add(
        { type: 'energy', energyJ: 40 * Math.floor((startS - 2) * 10) },
        startS,
        startS + 0.002,
      )
    }
    expect(timeline.energyBetween(1, 3)).toMatchObject({ reason: 'counter-reset' })
    expect(measured(timeline, 0.5, 1.5).energyJ).toBeCloseTo(400, 0)
    expect(measured(timeline, 2.5, 3.5).energyJ).toBeCloseTo(400, 0)
  })

  test('one absurd value is left out and counted', () => {
    const timeline = createTimeline({ method: 'counter', type: 'tick', maxPowerW: 1000 })
    for (let poll = 0; poll < 400; poll += 1) {
      const startS = 0.005 * poll
      const energyJ = poll === 200 ? 1e9 : 40 * Math.floor(startS * 10 + 0.01)
      timeline.add({ type: 'energy', energyJ }, startS, startS + 0.001)
    }
    const energy = measured(timeline, 0.5, 1.5)
    expect(energy.energyJ).toBeCloseTo(400, 0)
    expect(energy.detail).toBe('counter, edges interpolated, 1 implausible values left out')
    expect(timeline.rejected()).toBe(1)
  })

  test('a device that is lost in the window', () => {
    const timeline = feedTicks({ durationS: 2 })
    timeline.add(unavailable('device-lost', 'gone'), 2, 2.001)
    expect(timeline.reaches(2.5)).toBe(true)
    expect(timeline.energyBetween(1, 2.5)).toMatchObject({ reason: 'device-lost' })
    expect(measured(timeline, 0.5, 1.5).energyJ).toBeCloseTo(400, 0)
  })

  test('a counter that the device does not have', () => {
    const timeline = createTimeline({ method: 'counter', type: 'tick' })
    timeline.add(unavailable('not-supported', 'none'), 0, 0.001)
    expect(timeline.reaches(1)).toBe(true)
    expect(timeline.energyBetween(0, 1)).toMatchObject({ reason: 'not-supported' })
  })
})

test('a steady counter gives 0 J when its value was seen not to move', () => {
  const timeline = createTimeline({ method: 'model', type: 'steady' })
  for (const timeS of [0, 0.05, 0.1, 0.15])
    timeline.add({ type: 'energy', energyJ: 7 }, timeS, timeS)
  expect(measured(timeline, 0.02, 0.12).energyJ).toBe(0)
})

import { isUnavailable, type MeasuredEnergy, unavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { createTimeline, type Timeline } from '../../src/timeline/timeline.js'
import { feedTicks } from './tick-feed.js'

function measured(timeline: Timeline, startS: number, endS: number): MeasuredEnergy {
  const energy = timeline.energyBetween(startS, endS)
  if (isUnavailable(energy)) throw new Error(energy.detail)
  return energy
}

/** A source that publishes every 2.1 s and is polled every 0.5 s; it says when it published. */
function feedStamped(powerW: number, durationS = 30): Timeline {
  const timeline = createTimeline({ method: 'counter', type: 'tick' })
  for (let startS = 0; startS < durationS; startS += 0.5) {
    const atS = 2.1 * Math.floor(startS / 2.1)
    timeline.add({ type: 'energy', energyJ: 50 + powerW * atS, atS }, startS, startS + 0.004)
  }
  return timeline
}

describe('a value with the time of its publication', () => {
  test('is dated by it, to a millisecond, however seldom it is polled', () => {
    const points = feedStamped(100).points({ startS: 4, endS: 9 })
    expect(points).toHaveLength(3)
    expect(points.map((point) => point.timeS)).toEqual([
      expect.closeTo(4.2, 9),
      expect.closeTo(6.3, 9),
      expect.closeTo(8.4, 9),
    ])
    expect(points[0]).toMatchObject({ halfWidthS: 0.001 })
    const energy = measured(feedStamped(100), 3.3, 17.7)
    expect(energy.energyJ).toBeCloseTo(1440, 0)
    expect(energy.uncertaintyJ).toBeLessThan(1)
  })

  test('counts also where it has not moved: a rail at rest used 0 J', () => {
    expect(measured(feedStamped(0), 3, 20)).toMatchObject({ energyJ: 0, changes: 8 })
  })

  test('counts once, however often it is seen', () => {
    expect(feedStamped(100, 4).points()).toHaveLength(2)
  })

  test('is not newer than the read that saw it', () => {
    const timeline = createTimeline({ method: 'counter', type: 'tick' })
    timeline.add({ type: 'energy', energyJ: 1, atS: 9 }, 2, 2.01)
    expect(timeline.points()).toMatchObject([{ timeS: 2.01 }])
  })
})

describe.each(['no-data', 'failed', 'implausible'] as const)('a stretch of %s', (reason) => {
  const timeline = feedTicks({ durationS: 2 })
  for (let poll = 0; poll < 100; poll += 1) {
    const startS = 2 + 0.01 * poll
    timeline.add(unavailable(reason, 'stalled'), startS, startS + 0.001)
  }
  const silentEnd = timeline.energyBetween(1, 2.5)
  for (let poll = 0; poll < 400; poll += 1) {
    const startS = 3.0005 + 0.005 * poll
    timeline.add(
      { type: 'energy', energyJ: 1000 + 40 * Math.floor(10 * startS) },
      startS,
      startS + 0.002,
    )
  }

  test('is named while it lasts', () => {
    expect(silentEnd).toMatchObject({ status: 'unavailable', reason })
  })

  test('spoils each window that touches it, also once data are back', () => {
    for (const [startS, endS] of [
      [1, 2.5],
      [1, 4],
      [2.5, 4],
      [2.2, 2.4],
    ] as const) {
      expect(timeline.energyBetween(startS, endS)).toMatchObject({ reason, detail: 'stalled' })
    }
  })

  test('leaves the windows before and after it alone', () => {
    expect(measured(timeline, 0.5, 1.5).energyJ).toBeCloseTo(400, 0)
    expect(measured(timeline, 3.5, 4.5).energyJ).toBeCloseTo(400, 0)
  })
})

test('one poll that fails is a lost poll: the counter counted on', () => {
  const timeline = createTimeline({ method: 'counter', type: 'tick' })
  for (let poll = 0; poll < 800; poll += 1) {
    const startS = 0.0005 + 0.005 * poll
    const energyJ = 40 * Math.floor(10 * startS)
    const sample =
      poll === 400 ? unavailable('failed', 'busy') : { type: 'energy' as const, energyJ }
    timeline.add(sample, startS, startS + 0.002)
  }
  expect(measured(timeline, 1, 3).energyJ).toBeCloseTo(800, 0)
})

test('power samples are not joined across a stretch without data', () => {
  const timeline = createTimeline({ method: 'wall', type: 'power' })
  const add = (timeS: number): void =>
    timeline.add({ type: 'power', samples: [{ timeS, powerW: 50 }] }, timeS, timeS)
  for (let timeS = 0; timeS <= 10; timeS += 1) add(timeS)
  for (let timeS = 11; timeS < 30; timeS += 1)
    timeline.add(unavailable('no-data', 'stale'), timeS, timeS)
  for (let timeS = 30; timeS <= 40; timeS += 1) add(timeS)
  expect(timeline.energyBetween(5, 35)).toMatchObject({ reason: 'no-data', detail: 'stale' })
  expect(measured(timeline, 2, 8).energyJ).toBeCloseTo(300, 9)
  expect(measured(timeline, 32, 38).energyJ).toBeCloseTo(300, 9)
})

test('power samples come out as they went in', () => {
  const timeline = createTimeline({ method: 'wall', type: 'power' })
  const samples = [1, 2, 3].map((timeS) => ({ timeS, powerW: 10 * timeS }))
  timeline.add({ type: 'power', samples }, 3, 3)
  expect(timeline.points({ startS: 2 })).toEqual([
    { timeS: 2, powerW: 20 },
    { timeS: 3, powerW: 30 },
  ])
})

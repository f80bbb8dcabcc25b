import { isUnavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { createTimeline, type Timeline } from '../../src/timeline/timeline.js'
import { createLoad, createRandom, watch } from './simulated-load.js'

const HOUR_S = 3600

/** Ten values a second, each true when it is read. */
function feedHours(timeline: Timeline, hours: number): void {
  for (let poll = 0; poll < hours * HOUR_S * 10; poll += 1) {
    const timeS = poll / 10
    timeline.add({ type: 'energy', energyJ: 40 * poll }, timeS, timeS)
  }
}

test('after 24 hours every hour of them can still be asked for', () => {
  const timeline = createTimeline({ method: 'counter', type: 'steady' })
  feedHours(timeline, 24)
  for (const hour of [0, 12, 22]) {
    const energy = timeline.energyBetween(hour * HOUR_S + 1, (hour + 1) * HOUR_S)
    expect(energy).toMatchObject({ status: 'measured', energyJ: expect.closeTo(400 * 3599, 3) })
  }
})

test('a day and a half of polling stays within its memory, and the last twelve hours can be asked for', () => {
  const timeline = createTimeline({ method: 'counter', type: 'steady' })
  feedHours(timeline, 36)
  expect(timeline.points().length).toBeLessThanOrEqual(1_000_000)
  const energy = timeline.energyBetween(24 * HOUR_S, 36 * HOUR_S - 1)
  if (isUnavailable(energy)) throw new Error(energy.detail)
  expect(energy.energyJ).toBeCloseTo(400 * (12 * HOUR_S - 1), 3)
  expect(timeline.energyBetween(HOUR_S, 2 * HOUR_S)).toMatchObject({
    reason: 'no-data',
    detail: expect.stringContaining('that is kept'),
  })
})

test('power samples and failures without end stay within their memory', () => {
  const timeline = createTimeline({ method: 'wall', type: 'power' })
  for (let timeS = 0; timeS < 1_200_000; timeS += 1) {
    timeline.add({ type: 'power', samples: [{ timeS, powerW: 50 }] }, timeS, timeS)
  }
  expect(timeline.points().length).toBeLessThanOrEqual(1_000_000)
  const flapping = createTimeline({ method: 'wall', type: 'steady' })
  for (let timeS = 0; timeS < 100_000; timeS += 10) {
    flapping.add({ type: 'energy', energyJ: timeS }, timeS, timeS)
    flapping.add({ status: 'unavailable', reason: 'device-lost', detail: '' }, timeS + 1, timeS + 1)
  }
  expect(flapping.energyBetween(99_000, 99_500)).toMatchObject({ reason: 'device-lost' })
})

test('row 10: ten windows that overlap, asked in any order and while the polling goes on, say the same as one after the other', () => {
  const load = createLoad('bursts', 20, createRandom(3))
  const windows = Array.from(
    { length: 10 },
    (_, index) => [1 + 0.37 * index, 9 + 0.71 * index] as const,
  )
  const together = watch(load, { durationS: 20, random: createRandom(4) })
  const ascending = windows.map(([startS, endS]) => together.energyBetween(startS, endS))
  const descending = windows
    .toReversed()
    .map(([startS, endS]) => together.energyBetween(startS, endS))
  expect(descending.toReversed()).toEqual(ascending)
  for (const [index, [startS, endS]] of windows.entries()) {
    const alone = watch(load, { durationS: 20, random: createRandom(4) })
    expect(alone.energyBetween(startS, endS)).toEqual(ascending[index])
  }
})

test('an answer is final once the timeline reaches the end of its window', () => {
  const load = createLoad('steps', 20, createRandom(5))
  const whole = watch(load, { durationS: 20, random: createRandom(6) })
  for (let untilS = 5; untilS < 9; untilS += 0.013) {
    const part = watch(load, { durationS: untilS, random: createRandom(6) })
    if (!part.reaches(4.87)) continue
    const [early, late] = [part, whole].map((timeline) => timeline.energyBetween(2.31, 4.87))
    if (early?.status !== 'measured' || late?.status !== 'measured') throw new Error('no reading')
    expect(early.energyJ).toBe(late.energyJ)
  }
})

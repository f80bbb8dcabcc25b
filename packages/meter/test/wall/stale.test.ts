import { expect, test } from 'vitest'
import type { WallReading } from '../../src/wall/reading.js'
import { createStaleCheck } from '../../src/wall/stale.js'

/** Checks one reading every `stepS` seconds and returns the last result. */
function follow(
  readings: readonly WallReading[],
  options = { slowestS: 1, counterStepJ: 3600 },
  stepS = 10,
): WallReading | undefined {
  const { check } = createStaleCheck(options)
  return readings.map((reading, index) => check(reading, index * stepS)).at(-1)
}

const repeat = (count: number, reading: (index: number) => WallReading) =>
  Array.from({ length: count }, (_, index) => reading(index))

test('a counter that stands while power moves is stale, the power is not', () => {
  const last = follow(repeat(20, (index) => ({ powerW: 400 + index, energyJ: 5 })))
  expect(last).toMatchObject({
    powerW: 419,
    energyJ: {
      reason: 'stalled',
      detail: 'stale: the counter has not moved for 190 s while the power reads 419 W',
    },
  })
})

test('a power that never moved either is stale too', () => {
  const last = follow(repeat(20, () => ({ powerW: 400, energyJ: 5 })))
  expect(last?.powerW).toMatchObject({ detail: expect.stringMatching(/^stale: the counter/) })
})

test('a coarse counter under a small load may stand for minutes', () => {
  expect(follow(repeat(20, () => ({ powerW: 10, energyJ: 5 })))).toEqual({ powerW: 10, energyJ: 5 })
})

test('a counter that shows coarse steps is given the time that they take', () => {
  const standing = (energyStepJ: number) =>
    follow(repeat(20, (index) => ({ powerW: 400 + index, energyJ: 5, energyStepJ })))
  expect(standing(20_000)?.energyJ).toMatchObject({ reason: 'stalled' })
  expect(standing(30_000)?.energyJ).toBe(5)
})

test('a counter that moves, or has no load, is not stale', () => {
  const moving = follow(repeat(20, (index) => ({ powerW: 400, energyJ: index })))
  expect(moving).toEqual({ powerW: 400, energyJ: 19 })
  expect(follow(repeat(90, () => ({ powerW: 4, energyJ: 5 })))).toEqual({ powerW: 4, energyJ: 5 })
})

test('a time stamp that stands for over 60 s under load is stale', () => {
  const standing = (count: number) => follow(repeat(count, () => ({ powerW: 9, stamp: 'a' })))
  expect(standing(7)).toEqual({ powerW: 9, stamp: 'a' })
  expect(standing(8)?.powerW).toMatchObject({
    reason: 'stalled',
    detail: 'stale: the time stamp has not moved for 70 s while the power reads 9 W',
  })
})

test('a slow plug gets three of its periods', () => {
  const slow = { slowestS: 120, counterStepJ: 1 }
  const standing = (count: number) =>
    follow(
      repeat(count, () => ({ powerW: 9, energyJ: 1 })),
      slow,
    )
  expect(standing(37)?.energyJ).toBe(1)
  expect(standing(38)?.energyJ).toMatchObject({ reason: 'stalled' })
})

test('a value that moves again is good at once', () => {
  const readings = [...repeat(20, () => ({ powerW: 400, energyJ: 5 })), { powerW: 401, energyJ: 6 }]
  expect(follow(readings)).toEqual({ powerW: 401, energyJ: 6 })
})

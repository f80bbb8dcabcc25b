import { describe, expect, test } from 'vitest'
import { type CounterScene, followCounter } from './simulated-counter.js'

const even = (tick: number): number => 0.1 * tick + 0.0123
const jittery = (tick: number): number =>
  0.1 * tick + 0.003 * ((Math.sin(12.9898 * tick) * 43758.5453) % 1)

const scenes: readonly (readonly [name: string, scene: CounterScene, readsPerTick: number])[] = [
  ['ticks evenly', { tickAt: even, untilS: 62 }, 2.1],
  ['drifts in phase', { tickAt: (tick) => 0.1 * tick + 2e-7 * tick ** 2, untilS: 62 }, 2.1],
  ['ticks every 100.37 ms', { tickAt: (tick) => 0.10037 * tick, untilS: 62 }, 2.1],
  ['ticks with 3 ms of jitter', { tickAt: jittery, untilS: 62 }, 2.5],
  ['is read in 0.1 ms', { tickAt: even, untilS: 62, readS: () => 0.0001 }, 2.1],
  ['ticks every 20 ms', { tickAt: (tick) => 0.02 * tick, untilS: 20, readS: () => 0.0005 }, 2.2],
  ['ticks every 2 s', { tickAt: (tick) => 2 * tick, fromS: 10, untilS: 60 }, 2.5],
]

describe.each(scenes)('a counter that %s', (_, scene, readsPerTick) => {
  const { reads, ticks, errorsS, halfWidthsS } = followCounter(scene)

  test('is read about twice a tick', () => {
    expect(reads / ticks).toBeLessThan(readsPerTick)
  })

  test('has every change dated within 5 ms, and the stated width covers the truth', () => {
    expect(Math.max(...errorsS)).toBeLessThan(0.005)
    expect(Math.max(...halfWidthsS)).toBeLessThan(0.005)
    expect(errorsS.every((errorS, index) => errorS <= (halfWidthsS[index] ?? 0))).toBe(true)
  })
})

test('a read of 15 ms now and then costs the date of its own change, and says so', () => {
  const { reads, ticks, errorsS, halfWidthsS } = followCounter({
    tickAt: even,
    untilS: 62,
    readS: (random) => (random < 0.02 ? 0.015 : 0.003),
  })
  expect(reads / ticks).toBeLessThan(2.2)
  expect(errorsS.filter((errorS) => errorS > 0.005).length / ticks).toBeLessThan(0.01)
  expect(Math.max(...errorsS)).toBeLessThan(0.01)
  const covered = errorsS.filter((errorS, index) => errorS <= (halfWidthsS[index] ?? 0))
  expect(covered.length / ticks).toBeGreaterThan(0.99)
})

test.each([
  ['shorter', 0.07],
  ['longer', 0.13],
])('a tick that becomes %s is learned anew within a second', (_, tickS) => {
  const { reads, ticks, errorsS, halfWidthsS } = followCounter({
    tickAt: (tick) => (tick < 50 ? 0.1 * tick : 5 + tickS * (tick - 50)),
    fromS: 6.5,
    untilS: 40,
  })
  expect(reads / ticks).toBeLessThan(2.2)
  expect(Math.max(...errorsS, ...halfWidthsS)).toBeLessThan(0.005)
})

describe('a counter that stops for ten seconds and resumes', () => {
  const tickAt = (tick: number): number => (tick < 50 ? 0.1 * tick : 15.033 + 0.1 * (tick - 50))

  test('is not flooded meanwhile', () => {
    expect(followCounter({ tickAt, fromS: 7, untilS: 14.9 }).reads).toBeLessThan(300)
  })

  test('is followed again within a second', () => {
    const { reads, ticks, errorsS } = followCounter({ tickAt, fromS: 16, untilS: 40 })
    expect(reads / ticks).toBeLessThan(2.3)
    expect(Math.max(...errorsS)).toBeLessThan(0.005)
  })
})

test('a counter that ticks once a minute is read a few hundred times a minute, and dated within 1 %', () => {
  const { reads, errorsS } = followCounter({ tickAt: (tick) => 60 * tick, fromS: 0.5, untilS: 170 })
  expect(reads).toBeLessThan(2500)
  expect(Math.max(...errorsS)).toBeLessThan(0.6)
})

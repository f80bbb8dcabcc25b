import { describe, expect, test } from 'vitest'
import { createTickPacer } from '../../src/polling/tick-pacer.js'

interface Simulation {
  readonly polls: number
  /** Half the distance between the polls around each change, seconds. */
  readonly halfWidthsS: readonly number[]
}

/** Runs the pacer against a counter that ticks at `tickAt(n)`; no real time passes. */
function simulate(tickAt: (tick: number) => number, fromS: number, untilS: number): Simulation {
  const pacer = createTickPacer()
  const halfWidthsS: number[] = []
  let tick = 0
  let polls = 0
  let last = 0
  for (let nowS = 0; nowS < untilS; ) {
    const startS = nowS
    const endS = startS + 0.003
    const before = tick
    while (tickAt(tick + 1) <= endS) tick += 1
    const changed = tick !== before
    if (startS > fromS) polls += 1
    if (startS > fromS && changed) halfWidthsS.push((endS - last) / 2)
    last = startS
    // Timers are up to a millisecond late.
    nowS = endS + pacer.next({ changed, startS, endS }) + 0.0005 * (1 + Math.sin(37 * nowS))
  }
  return { polls, halfWidthsS }
}

describe('a counter that ticks evenly', () => {
  const { polls, halfWidthsS } = simulate((tick) => 0.1 * tick + 0.0123, 1, 21)

  test('dates every change to 5 ms once it is learned', () => {
    expect(halfWidthsS).toHaveLength(200)
    expect(Math.max(...halfWidthsS)).toBeLessThanOrEqual(0.005)
  })

  test('polls at most four times a tick', () => {
    expect(polls / 200).toBeLessThan(4)
  })
})

test('a counter that ticks with 3 ms of jitter is still followed', () => {
  const { halfWidthsS } = simulate((tick) => 0.1 * tick + 0.003 * Math.sin(11 * tick), 2, 22)
  const good = halfWidthsS.filter((halfWidthS) => halfWidthS <= 0.005)
  expect(good.length / halfWidthsS.length).toBeGreaterThan(0.95)
})

test('a tick that changes its length is learned anew', () => {
  const { halfWidthsS } = simulate(
    (tick) => (tick < 50 ? 0.1 * tick : 5 + 0.07 * (tick - 50)),
    8,
    18,
  )
  const good = halfWidthsS.filter((halfWidthS) => halfWidthS <= 0.005)
  expect(good.length / halfWidthsS.length).toBeGreaterThan(0.95)
})

test('a slow counter is not polled fast for ever', () => {
  const { polls } = simulate((tick) => 2 * tick, 1.5, 5.5)
  expect(polls).toBeLessThan(400)
})

import { expect, test } from 'vitest'
import { createWallClock } from '../../src/nvml/wall-clock.js'

/** Two clocks that are moved by hand; the wall clock shows whole milliseconds. */
function createClocks(offsetS = 1_700_000_000) {
  let timeS = 100
  let aheadS = offsetS
  return {
    now: () => timeS,
    wallMs: () => Math.floor(1000 * (timeS + aheadS)),
    wallUs: () => Math.round(1e6 * (timeS + aheadS)),
    advance(durationS: number) {
      timeS += durationS
    },
    set(stepS: number) {
      aheadS += stepS
    },
  }
}

function observeFor(clock: { observe(): boolean }, clocks: ReturnType<typeof createClocks>): void {
  for (let pair = 0; pair < 40; pair += 1) {
    clocks.advance(0.0237)
    clock.observe()
  }
}

test('a time is placed to within a fraction of a millisecond', () => {
  const clocks = createClocks()
  const clock = createWallClock(clocks)
  observeFor(clock, clocks)
  expect(clock.toMonotonicS(clocks.wallUs() - 50_000)).toBeCloseTo(clocks.now() - 0.05, 3)
})

test('slow drift of the wall clock is followed and is no step', () => {
  const clocks = createClocks()
  const clock = createWallClock(clocks)
  let stepped = false
  for (let pair = 0; pair < 400; pair += 1) {
    clocks.advance(0.025)
    // Slewing at its fastest.
    clocks.set(0.025 * 500e-6)
    stepped ||= clock.observe()
  }
  expect(stepped).toBe(false)
  const errorS = (clock.toMonotonicS(clocks.wallUs()) ?? 0) - clocks.now()
  expect(Math.abs(errorS)).toBeLessThan(0.001)
})

test.each([3600, 0.5, -0.5, -3600])(
  'after the wall clock was set by %d s, times from before and after it keep their place',
  (stepS) => {
    const clocks = createClocks()
    const clock = createWallClock(clocks)
    observeFor(clock, clocks)
    clocks.advance(0.04)
    const before = { wallUs: clocks.wallUs(), timeS: clocks.now() }
    clocks.set(stepS)
    clocks.advance(0.04)
    const after = { wallUs: clocks.wallUs(), timeS: clocks.now() }
    clocks.advance(0.01)
    expect(clock.observe()).toBe(true)
    expect(clock.observe()).toBe(false)
    expect(clock.toMonotonicS(before.wallUs)).toBeCloseTo(before.timeS, 2)
    expect(clock.toMonotonicS(after.wallUs)).toBeCloseTo(after.timeS, 2)
  },
)

test('a time in the future has no place', () => {
  const clocks = createClocks()
  const clock = createWallClock(clocks)
  observeFor(clock, clocks)
  expect(clock.toMonotonicS(clocks.wallUs() + 1_000_000)).toBeUndefined()
})

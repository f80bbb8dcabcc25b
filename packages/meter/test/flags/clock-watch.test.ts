import { expect, test } from 'vitest'
import { compareClocks, createClockWatch } from '../../src/flags/index.js'

const first = { wallS: 1000, monotonicS: 50, uptimeS: 70 }

test.each([
  ['quiet', { wallS: 1010, monotonicS: 60, uptimeS: 80 }, 0, 0],
  ['sleep', { wallS: 1310, monotonicS: 60, uptimeS: 380 }, 300, 0],
  ['a clock set forward', { wallS: 4610, monotonicS: 60, uptimeS: 80 }, 0, 3600],
  ['a clock set back in sleep', { wallS: 1210, monotonicS: 60, uptimeS: 380 }, 300, -100],
  ['sleep without an uptime', { wallS: 1310, monotonicS: 60 }, 300, 0],
  ['a clock set back without an uptime', { wallS: 910, monotonicS: 60 }, 0, -100],
] as const)('%s', (...[, last, suspendedS, steppedS]) => {
  const gap = compareClocks(first, last)
  expect(gap.suspendedS).toBeCloseTo(suspendedS, 9)
  expect(gap.steppedS).toBeCloseTo(steppedS, 9)
})

test('a watch tells what happened between the looks around a window', () => {
  let sleptS = 0
  let monotonicS = 0
  const watch = createClockWatch(() => ({
    wallS: 1000 + monotonicS + sleptS,
    monotonicS,
    uptimeS: monotonicS + sleptS,
  }))
  for (monotonicS = 0; monotonicS <= 10; monotonicS += 1) {
    if (monotonicS === 6) sleptS = 120
    watch.sample()
  }
  expect(watch.between(1, 4)).toEqual({ suspendedS: 0, steppedS: 0 })
  expect(watch.between(4.5, 7.5).suspendedS).toBe(120)
  expect(watch.between(7, 9).suspendedS).toBe(0)
})

test('a watch that saw nothing says nothing, and the clocks of this machine agree', () => {
  const watch = createClockWatch()
  expect(watch.between(0, 1)).toEqual({ suspendedS: 0, steppedS: 0 })
  watch.sample()
  watch.sample()
  expect(watch.between(0, 1e9).suspendedS).toBeLessThan(1.1)
})

import type { Meter } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { createBench } from './support/bench.js'
import { createFakeTask } from './support/fake-task.js'
import { withReadings } from './support/wrap-meter.js'

/** 40 items of 2 s on a counter, integrated power that agrees, and a plug that reads 1.3 times as much. */
async function tierWith(wrapMeter: (meter: Meter) => Meter) {
  const answer = (prompt: string) => ({ text: prompt, durationS: 2 })
  const report = await createBench({ task: createFakeTask(40), answer, wrapMeter }).run()
  return report.tier
}

const agreeing = { 'integrated-power': 1.01, wall: 1.3 }

test.each([
  [0.5, 'A'],
  [1, 'A'],
  [1.4, 'A'],
  [1.6, 'B'],
  [2, 'B'],
  [15, 'B'],
])('a plug that gives a value each %d s makes the tier %s', async (spacingS, tier) => {
  expect(await tierWith(withReadings(agreeing, spacingS))).toBe(tier)
})

test('a plug whose rate is not known makes no tier A', async () => {
  const withoutPoints = (meter: Meter): Meter => {
    const { pointsBetween: _, ...rest } = withReadings(agreeing)(meter)
    return rest
  }
  expect(await tierWith(withoutPoints)).toBe('B')
})

test('a slow plug beside a counter alone is still the second reading', async () => {
  expect(await tierWith(withReadings({ wall: 1.3 }, 15))).toBe('B')
})

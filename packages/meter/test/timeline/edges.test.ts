import { isUnavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import type { Timeline } from '../../src/timeline/timeline.js'
import { createLoad, createRandom, type LoadKind, watch, windowsOf } from './simulated-load.js'

const DURATION_S = 40
const SEEDS = [1, 2, 3, 4, 5, 6]

interface Outcome {
  readonly errorJ: number
  readonly uncertaintyJ: number
}

/** Many windows of many loads: how far each reading was off, and how far it said that it might be. */
function outcomesOf(kind: LoadKind): readonly Outcome[] {
  return SEEDS.flatMap((seed) => {
    const random = createRandom(seed)
    const load = createLoad(kind, DURATION_S, random)
    const timeline = watch(load, { durationS: DURATION_S, random })
    return windowsOf(load, DURATION_S, random).flatMap(([startS, endS]) => {
      const energy = timeline.energyBetween(startS, endS)
      if (isUnavailable(energy)) return []
      const truthJ = load.energyAt(endS) - load.energyAt(startS)
      return { errorJ: energy.energyJ - truthJ, uncertaintyJ: energy.uncertaintyJ }
    })
  })
}

function rms(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)
}

describe.each(['steps', 'bursts', 'ramps'] as const)('a load of %s', (kind) => {
  const outcomes = outcomesOf(kind)

  test('lies within two standard uncertainties 95 times in 100', () => {
    const covered = outcomes.filter((one) => Math.abs(one.errorJ) <= 2 * one.uncertaintyJ)
    expect(outcomes.length).toBeGreaterThan(300)
    expect(covered.length / outcomes.length).toBeGreaterThanOrEqual(0.95)
  })

  test('is not said to be far less certain than it is', () => {
    const ratio =
      rms(outcomes.map((one) => one.uncertaintyJ)) / rms(outcomes.map((one) => one.errorJ))
    expect(ratio).toBeGreaterThan(1)
    expect(ratio).toBeLessThan(3)
  })

  test('has no bias', () => {
    const meanJ = outcomes.reduce((sum, one) => sum + one.errorJ, 0) / outcomes.length
    expect(Math.abs(meanJ)).toBeLessThan(0.3)
  })
})

/** The energy at a time by a straight line between the changes around it. */
function lineAtJ(timeline: Timeline, timeS: number): number {
  const points = timeline.points()
  const index = points.findIndex((point) => point.timeS > timeS)
  const [before, after] = [points[index - 1], points[index]]
  if (before === undefined || after === undefined) return Number.NaN
  if ('powerW' in before || 'powerW' in after) return Number.NaN
  const share = (timeS - before.timeS) / (after.timeS - before.timeS)
  return before.energyJ + share * (after.energyJ - before.energyJ)
}

test('work that begins and ends inside a tick is read nearly without bias; a straight line reads it 19 J too low', () => {
  const errorsJ: number[] = []
  const lineErrorsJ: number[] = []
  for (const seed of Array.from({ length: 200 }, (_, index) => index)) {
    const random = createRandom(seed)
    const startS = 2 + random()
    const endS = startS + 3 + random()
    const load = {
      ...createLoad('steps', 0, random),
      energyAt: (timeS: number) =>
        120 * timeS + 570 * (Math.max(0, timeS - startS) - Math.max(0, timeS - endS)),
    }
    const timeline = watch(load, { durationS: 8, random })
    const energy = timeline.energyBetween(startS, endS)
    const truthJ = 690 * (endS - startS)
    errorsJ.push((isUnavailable(energy) ? Number.NaN : energy.energyJ) - truthJ)
    lineErrorsJ.push(lineAtJ(timeline, endS) - lineAtJ(timeline, startS) - truthJ)
  }
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  // What is left comes from the dates of the changes, 4 ms either way.
  expect(Math.abs(meanOf(errorsJ))).toBeLessThan(1.6)
  expect(rms(errorsJ)).toBeLessThan(2.2)
  expect(meanOf(lineErrorsJ)).toBeLessThan(-18)
  expect(Math.min(...lineErrorsJ)).toBeLessThan(-28)
})

test.each([0.02, 0.05, 0.08, 0.13, 0.17, 0.25])(
  'polls every %d s widen the uncertainty, and it covers what they cost',
  (pollS) => {
    const load = createLoad('steps', DURATION_S, createRandom(7))
    const read = (everyS: number): readonly Outcome[] => {
      const timeline = watch(load, {
        durationS: DURATION_S,
        random: createRandom(8),
        pollS: everyS,
      })
      const random = createRandom(9)
      return Array.from({ length: 200 }, () => {
        const startS = 2 + 30 * random()
        const endS = startS + 0.2 + 3 * random()
        const energy = timeline.energyBetween(startS, endS)
        if (isUnavailable(energy)) throw new Error(energy.detail)
        const truthJ = load.energyAt(endS) - load.energyAt(startS)
        return { errorJ: energy.energyJ - truthJ, uncertaintyJ: energy.uncertaintyJ }
      })
    }
    const late = read(pollS)
    const covered = late.filter((one) => Math.abs(one.errorJ) <= 2 * one.uncertaintyJ)
    expect(covered.length).toBeGreaterThanOrEqual(190)
    expect(rms(late.map((one) => one.uncertaintyJ))).toBeGreaterThan(
      rms(read(0.005).map((one) => one.uncertaintyJ)),
    )
  },
)

import { isUnavailable, type Meter } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { type BenchOptions, createBench } from './support/bench.js'
import { createFakeTask } from './support/fake-task.js'
import { withReadings, withStates } from './support/wrap-meter.js'

/** 40 items of 2 s: long enough for every check. */
const long: BenchOptions = {
  task: createFakeTask(40),
  answer: (prompt) => ({ text: prompt, durationS: 2 }),
}

const namesOf = async (options: BenchOptions, run = {}) =>
  (await createBench({ ...long, ...options }).run(run)).honesty.map((flag) => flag.name)

test('a clean run has no flag', async () => {
  expect(await namesOf({})).toEqual([])
})

test('a short run says how long it should be', async () => {
  const report = await createBench().run()
  expect(report.honesty).toEqual([
    {
      name: 'short-window',
      cause: 'A repetition took 2.0 s; a steady figure needs 25 s.',
      fix: 'Use more items.',
    },
  ])
})

test('few repetitions are told', async () => {
  expect(await namesOf({}, { repetitions: 2 })).toEqual(['few-repetitions'])
})

test('readings of one device that differ by more than their uncertainty are told', async () => {
  expect(await namesOf({ wrapMeter: withReadings({ 'integrated-power': 1.005 }) })).toEqual([])
  expect(await namesOf({ wrapMeter: withReadings({ 'integrated-power': 1.06 }) })).toEqual([
    'readings-disagree',
  ])
})

test('clocks held down are told with their share of the time', async () => {
  const wrapMeter = withStates((index) => ({
    throttleReasons: index % 4 === 0 ? ['sw-power-cap'] : [],
    temperatureC: 50 + index,
  }))
  const report = await createBench({ ...long, wrapMeter }).run()
  expect(report.honesty.map((flag) => flag.name)).toEqual(['throttled'])
  expect(report.devices[0]).toMatchObject({
    deviceId: 'fake',
    temperatureC: { start: 50, end: 530, max: 530 },
    clockHz: { min: 1e9, mean: 1e9, max: 1e9 },
    memoryClockHz: null,
    throttledRatio: 0.25,
    throttleReasons: ['sw-power-cap'],
    processIds: [4242],
  })
})

test('another process beside ours is told; one unknown id in a container is not', async () => {
  const beside = withStates(() => ({ processIds: [4242, 99] }))
  const translated = withStates(() => ({ processIds: [99] }))
  expect(await namesOf({ wrapMeter: beside })).toEqual(['other-process'])
  expect(await namesOf({ wrapMeter: translated })).toEqual([])
})

test('prompt tokens from a cache are told', async () => {
  const answer = (prompt: string) => ({
    text: prompt,
    durationS: 2,
    tokens: { cachedInputTokens: 5 },
  })
  expect(await namesOf({ answer })).toEqual(['cached-prompt'])
})

test('prompt tokens from a cache are told from 1 % on', async () => {
  const withCached = (cachedInputTokens: number) => (prompt: string) => ({
    text: prompt,
    durationS: 2,
    tokens: { inputTokens: 1000, cachedInputTokens },
  })
  expect(await namesOf({ answer: withCached(9) })).toEqual([])
  expect(await namesOf({ answer: withCached(10) })).toEqual(['cached-prompt'])
})

test('a model that was loaded again on the way is told with the seconds that it took', async () => {
  const answer = (prompt: string, call: number) => ({
    text: prompt,
    durationS: 2,
    timings: { prefillS: 0.1, decodeS: 0.2, loadS: call === 9 ? 1.5 : 0.03, queueS: null },
  })
  const report = await createBench({ ...long, answer }).run()
  expect(report.items.filter((item) => item.timings.loadS === 1.5)).toHaveLength(1)
  expect(report.honesty).toMatchObject([
    { name: 'model-reloaded', cause: expect.stringContaining('for 1 of 120 answers, 1.5 s') },
  ])
})

test('empty answers are told', async () => {
  const answer = (prompt: string) => ({ text: Number(prompt) > 35 ? '' : prompt, durationS: 2 })
  expect(await namesOf({ answer })).toEqual(['many-empty'])
})

test('net energy that is small against idle is told', async () => {
  expect(await namesOf({ meter: { powerW: 110 } })).toEqual(['idle-dominated'])
})

test('idle power that changed is told, and its mean is used', async () => {
  let hasRun = false
  const drifting = (meter: Meter): Meter => ({
    ...meter,
    async energyBetween(startS, endS) {
      const reading = await meter.energyBetween(startS, endS)
      const counter = reading.domains['fake:counter']
      if (endS - startS === 2) hasRun = true
      if (endS - startS === 2 || !hasRun || counter === undefined || isUnavailable(counter)) {
        return reading
      }
      return {
        ...reading,
        domains: { 'fake:counter': { ...counter, energyJ: counter.energyJ * 1.125 } },
      }
    },
  })
  const report = await createBench({ ...long, wrapMeter: drifting }).run()
  expect(report.honesty.map((flag) => flag.name)).toEqual(['idle-drift'])
  expect(report.idle).toMatchObject({
    before: { powerW: 100 },
    after: { powerW: 112.5 },
    powerW: 106.25,
    uncertaintyW: 6.25,
    driftRatio: 0.125,
  })
})

test.each([
  ['A', { 'integrated-power': 1.01, wall: 1.3 }],
  ['B', { 'integrated-power': 1.01 }],
  ['B', { wall: 1.3 }],
  ['C', { wall: 0.5 }],
  ['C', {}],
])('the tier is %s with %o beside a counter', async (tier, readings) => {
  const report = await createBench({ ...long, wrapMeter: withReadings(readings) }).run()
  expect(report.tier).toBe(tier)
})

test('a flag keeps a run out of tier A', async () => {
  const wrapMeter = withReadings({ 'integrated-power': 1.01, wall: 1.3 })
  const report = await createBench({ ...long, wrapMeter }).run({ repetitions: 2 })
  expect(report.tier).toBe('C')
})

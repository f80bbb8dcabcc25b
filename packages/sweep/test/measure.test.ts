import { isUnavailable, type Meter, unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { createBench } from './support/bench.js'
import { createFakeTask } from './support/fake-task.js'

const threeOfFour = (prompt: string) => ({ text: prompt === '2' ? '0' : prompt })

test('joules per correct answer is net energy over correct answers, a ratio of sums', async () => {
  const report = await createBench({ answer: threeOfFour }).run()
  // 4 items of 0.5 s at 300 W, of which 100 W are idle power.
  expect(report.energyGrossJ).toEqual({ mean: 600, std: 0, cvRatio: 0 })
  expect(report.energyNetJ).toEqual({ mean: 400, std: 0, cvRatio: 0 })
  expect(report.energyPerItemJ).toEqual({ net: 100, gross: 150 })
  expect(report.energyPerOutputTokenJ).toEqual({ net: 20, gross: 30 })
  expect(report.accuracy).toMatchObject({ ratio: 0.75, correct: 3, items: 4 })
  expect(report.durationS).toBe(6)
  expect(report.idle).toMatchObject({ powerW: 100, driftRatio: 0 })
  expect(report.repetitions[2]).toEqual({
    repetition: 3,
    items: 4,
    correct: 3,
    durationS: 2,
    outputTokens: 20,
    energyJ: { net: 400, gross: 600 },
    energyPerCorrectJ: { net: 400 / 3, gross: 200 },
  })
})

test('the value stands with its interval, its accounting and its method', async () => {
  const task = createFakeTask(60)
  const answer = (prompt: string) => ({ text: Number(prompt) % 3 === 0 ? 'x' : prompt })
  const report = await createBench({ answer, task }).run()
  expect(report.energyPerCorrectJ).toMatchObject({
    status: 'ok',
    value: 150,
    level: 0.95,
    accounting: 'net',
    method: 'counter',
    interval: 'items',
  })
  expect(report.energyPerCorrectGrossJ).toMatchObject({ status: 'ok', value: 225 })
})

test('repeating the same questions does not narrow the interval', async () => {
  const answer = (prompt: string) => ({ text: Number(prompt) % 3 === 0 ? 'x' : prompt })
  const task = createFakeTask(60)
  const once = await createBench({ answer, task }).run({ repetitions: 1 })
  const often = await createBench({ answer, task }).run({ repetitions: 6 })
  expect(often.energyPerCorrectJ).toEqual(once.energyPerCorrectJ)
  expect(often.accuracy).toEqual(once.accuracy)
})

test('spread between repetitions widens the interval', async () => {
  const task = createFakeTask(60)
  const answer = (prompt: string, call: number) => ({
    text: Number(prompt) % 3 === 0 ? 'x' : prompt,
    durationS: call <= 62 ? 0.5 : 4,
  })
  const report = await createBench({ answer, task }).run()
  expect(report.energyPerCorrectJ).toMatchObject({ status: 'ok', interval: 'repetitions' })
  expect(report.honesty.map((flag) => flag.name)).toContain('high-cv')
})

test('with no correct answer there is a lower bound and no value', async () => {
  const report = await createBench({ answer: () => ({ text: 'no' }) }).run()
  expect(report.energyPerCorrectJ).toEqual({
    status: 'no-correct',
    lowerBound: expect.closeTo(400 / (4 * (1 - 0.025 ** (1 / 4))), 9),
    level: 0.95,
    accounting: 'net',
    method: 'counter',
  })
  expect(report.repetitions[0]?.energyPerCorrectJ.net).toMatchObject({ status: 'unavailable' })
})

test('net energy below zero stays below zero', async () => {
  const report = await createBench({ meter: { powerW: 80, idleW: 100 } }).run()
  expect(report.energyNetJ).toEqual({ mean: -40, std: 0, cvRatio: 0 })
  expect(report.energyPerItemJ.net).toBe(-10)
  expect(report.energyPerCorrectJ).toMatchObject({ status: 'ok', value: -10 })
})

test('warm-up items are run and not counted', async () => {
  const calls: number[] = []
  const bench = createBench({
    answer(prompt, call) {
      calls.push(call)
      return { text: prompt }
    },
  })
  const report = await bench.run({ repetitions: 1 })
  expect(calls.length).toBe(6)
  expect(report.items.length).toBe(4)
})

test('events come in order, one for each item', async () => {
  const bench = createBench()
  await bench.run({ repetitions: 1 })
  expect(bench.events.map((event) => event.type)).toEqual([
    'cell-start',
    'warmup-end',
    'idle-start',
    'idle-end',
    'item-end',
    'item-end',
    'item-end',
    'item-end',
    'idle-start',
    'idle-end',
    'cell-end',
  ])
  const last = bench.events.findLast((event) => event.type === 'item-end')
  expect(last).toMatchObject({
    progress: {
      done: 4,
      total: 4,
      correct: 4,
      powerW: 300,
      energyPerCorrectJ: 100,
      tokensPerS: 10,
    },
  })
})

test('time to the first token and throughput are known', async () => {
  const report = await createBench().run({ repetitions: 1 })
  expect(report.items[0]).toMatchObject({ durationS: 0.5, firstTokenS: 0.25, output: '1' })
  expect(report.throughput).toEqual({ decodeTokensPerS: 16, outputTokensPerS: 10, itemsPerS: 2 })
})

test('accuracy is given by group', async () => {
  const report = await createBench({ answer: threeOfFour }).run({ repetitions: 1 })
  expect(report.accuracyByGroup.odd).toMatchObject({ ratio: 1, items: 2 })
  expect(report.accuracyByGroup.even).toMatchObject({ ratio: 0.5, items: 2 })
})

test('a meter that cannot read says so, and never 0', async () => {
  const reason = unavailable('device-lost', 'the GPU fell off the bus')
  const blind = (meter: Meter): Meter => ({
    ...meter,
    energyBetween: async (startS, endS) => ({
      startS,
      endS,
      durationS: endS - startS,
      domains: { 'fake:counter': reason },
    }),
  })
  const report = await createBench({ wrapMeter: blind }).run()
  expect(report).toMatchObject({
    energyNetJ: reason,
    energyGrossJ: reason,
    energyPerCorrectJ: reason,
    energyPerItemJ: { net: reason, gross: reason },
    readings: { counter: reason },
    method: null,
    tier: null,
  })
  expect(report.accuracy.ratio).toBe(1)
  expect(report.honesty.map((flag) => flag.name)).toContain('missing-energy')
})

test('one item without a reading is left out, and said', async () => {
  let windows = 0
  const gap = (meter: Meter): Meter => ({
    ...meter,
    async energyBetween(startS, endS) {
      const reading = await meter.energyBetween(startS, endS)
      const isFirstItem = endS - startS === 0.5 && ++windows === 1
      const domains = { 'fake:counter': unavailable('no-data', 'a gap') }
      return isFirstItem ? { ...reading, domains } : reading
    },
  })
  const report = await createBench({ wrapMeter: gap }).run()
  expect(report.energyPerItemJ).toEqual({ net: 100, gross: 150 })
  expect(report.repetitions[0]?.energyJ.net).toMatchObject({ status: 'unavailable' })
  expect(report.energyNetJ).toMatchObject({ mean: 400 })
  expect(report.honesty.map((flag) => flag.name)).toContain('missing-energy')
})

test('without idle windows gross energy stands and net is unavailable', async () => {
  const report = await createBench().run({ idleS: 0 })
  expect(report.energyGrossJ).toMatchObject({ mean: 600 })
  expect(report.energyPerCorrectGrossJ).toMatchObject({ status: 'ok', value: 150 })
  expect(isUnavailable(report.energyNetJ)).toBe(true)
  expect(isUnavailable(report.energyPerCorrectJ)).toBe(true)
})

test('an estimate is marked as one', async () => {
  const report = await createBench({ meter: { method: 'model' } }).run()
  expect(report).toMatchObject({ method: 'model', tier: 'D', settings: { idleS: 0.5, settleS: 0 } })
  expect(report.honesty.map((flag) => flag.name)).toContain('estimate-only')
})

test('the meter of the caller stays open', async () => {
  const bench = createBench()
  await bench.run({ repetitions: 1 })
  await expect(bench.meter.energyBetween(0, 1)).resolves.toMatchObject({ durationS: 1 })
})

test.each([
  [{ repetitions: 0 }, 'repetitions'],
  [{ idleS: -1 }, 'idleS'],
  [{ temperature: Number.NaN }, 'temperature'],
])('settings that make no run are refused: %o', async (options, name) => {
  await expect(createBench().run(options)).rejects.toMatchObject({
    code: 'usage-invalid',
    message: expect.stringContaining(name),
  })
})

test('a task without items is refused', async () => {
  const bench = createBench({ task: createFakeTask(0) })
  await expect(bench.run()).rejects.toMatchObject({ code: 'task-invalid' })
})

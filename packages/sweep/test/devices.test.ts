import { expect, test } from 'vitest'
import { journalLine } from '../src/index.js'
import { createBench } from './support/bench.js'
import { createFakeTask } from './support/fake-task.js'
import { withStates } from './support/wrap-meter.js'

/** A GPU that grows warmer and is held at its power cap for a quarter of the time. */
const warming = withStates((index) => ({
  temperatureC: 50 + index,
  memoryTemperatureC: 60,
  throttleReasons: ['sw-power-cap'],
  throttledS: { 'sw-power-cap': index / 8, 'hw-thermal-slowdown': 0 },
}))

/** 40 items of 2 s. */
const bench = () =>
  createBench({
    task: createFakeTask(40),
    answer: (prompt) => ({ text: prompt, durationS: 2 }),
    wrapMeter: warming,
  })

test('each item keeps how the devices stood at its start and its end', async () => {
  const report = await bench().run()
  const { startS = 0, devices } = report.items[0] ?? {}
  // The fake meter begins its states where it is asked from: two seconds before the item.
  expect(devices).toMatchObject([
    {
      deviceId: 'fake',
      start: { timeS: startS, temperatureC: 54, memoryTemperatureC: 60, powerLimitW: 400 },
      end: { timeS: startS + 2, temperatureC: 58, throttleReasons: ['sw-power-cap'] },
      throttledS: { 'sw-power-cap': 0.5, 'hw-thermal-slowdown': 0 },
    },
  ])
  expect(devices?.[0]?.start).not.toHaveProperty('processIds')
})

test('the journal keeps them for items and for idle windows', async () => {
  const run = bench()
  await run.run({ repetitions: 1 })
  const lines = run.events.flatMap((event) => journalLine(event) ?? [])
  const kept = lines.map((line) => {
    if (line.type === 'item') return line.devices?.length
    return line.type === 'idle' ? line.baseline.devices?.length : undefined
  })
  expect(kept).toEqual([undefined, 1, ...Array(40).fill(1), 1])
})

test('the report keeps them for the idle windows of each session', async () => {
  const { idle } = await bench().run()
  expect(idle.sessions).toMatchObject([
    {
      devicesBefore: [{ deviceId: 'fake', start: { temperatureC: 54 } }],
      devicesAfter: [{ deviceId: 'fake', start: { temperatureC: 54 } }],
    },
  ])
})

test('the summary counts throttling by the counters of the driver, and the flag quotes them', async () => {
  const { devices, honesty } = await bench().run()
  expect(devices).toMatchObject([
    {
      memoryTemperatureC: { start: 60, end: 60, max: 60 },
      throttledRatio: 1,
      throttledS: { 'sw-power-cap': 60, 'hw-thermal-slowdown': 0 },
    },
  ])
  expect(honesty).toEqual([
    {
      name: 'throttled',
      cause: 'Clocks were held down: fake (sw-power-cap 25.0 % of the time).',
      fix: 'Improve cooling, raise the power limit, or say so with the figure.',
    },
  ])
})

test('a meter whose devices say nothing leaves them out', async () => {
  const { items, idle, devices } = await createBench().run()
  expect(devices).toEqual([])
  expect(items[0]).not.toHaveProperty('devices')
  expect(idle.sessions[0]).not.toHaveProperty('devicesBefore')
})

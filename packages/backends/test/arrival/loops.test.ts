import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closedLoop, openLoop, poissonArrivals } from '../../src/arrival/index.js'
import { createVirtualClock, type VirtualClock } from './virtual-clock.js'

/** Requests that take the given seconds in turn, and how many of them ran at once. */
function createEngine(clock: VirtualClock, durationsS: readonly number[]) {
  const engine = { running: 0, most: 0 }
  const run = async ({ index }: { readonly index: number }) => {
    engine.running += 1
    engine.most = Math.max(engine.most, engine.running)
    await clock.sleep(durationsS[index % durationsS.length] ?? 0)
    engine.running -= 1
    return index
  }
  return { engine, run }
}

const durations = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 8 })

test('an open loop starts every request at its moment, whatever the others do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), durations, async (seed, durationsS) => {
      const clock = createVirtualClock()
      const { run } = createEngine(clock, durationsS)
      const schedule = { ratePerS: 2, seed, requests: 20 }
      const { rows } = await clock.runUntil(openLoop({ ...schedule, run, clock }))
      expect(rows.map(({ index }) => index)).toEqual([...Array(20).keys()])
      expect(rows.map(({ startedS }) => startedS)).toEqual(poissonArrivals(schedule))
      expect(rows.every(({ startDelayS }) => startDelayS === 0)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('a request that had to wait for room is charged from its arrival', async () => {
  const clock = createVirtualClock()
  const { run, engine } = createEngine(clock, [64])
  const schedule = { ratePerS: 8, seed: 3, requests: 3 }
  const load = openLoop({ ...schedule, maxInFlight: 1, run, clock })
  const { rows, durationS, achievedPerS } = await clock.runUntil(load)
  const [first = 0, second = 0, third = 0] = poissonArrivals(schedule)
  expect(engine.most).toBe(1)
  const ends = [first + 64, first + 64 + 64, first + 64 + 64 + 64]
  expect(rows.map(({ startedS }) => startedS)).toEqual([first, ends[0], ends[1]])
  expect(rows.map(({ endedS }) => endedS)).toEqual(ends)
  expect(rows[1]?.startDelayS).toBe(first + 64 - second)
  expect(rows[1]?.latencyS).toBe(first + 64 + 64 - second)
  expect(rows[2]?.latencyS).toBe(first + 64 + 64 + 64 - third)
  expect(durationS).toBe(ends[2])
  expect(achievedPerS).toBe(3 / durationS)
})

test('the offered rate is over the duration, or until the last arrival', async () => {
  const clock = createVirtualClock(1000)
  const { run } = createEngine(clock, [1])
  const schedule = { ratePerS: 5, seed: 2, durationS: 16 }
  const timed = await clock.runUntil(openLoop({ ...schedule, run, clock }))
  expect(timed.offeredPerS).toBe(poissonArrivals(schedule).length / 16)
  const counted = { ratePerS: 5, seed: 2, requests: 10 }
  const lastS = poissonArrivals(counted).at(-1) ?? 0
  expect((await clock.runUntil(openLoop({ ...counted, run, clock }))).offeredPerS).toBe(10 / lastS)
})

test('a timer that ends early or late shifts no later request', async () => {
  const clock = createVirtualClock()
  const early = { ...clock, sleep: (durationS: number) => clock.sleep(durationS / 2 + 2 ** -10) }
  const { run } = createEngine(clock, [1])
  const load = openLoop({ ratePerS: 1, seed: 4, requests: 50, run, clock: early })
  const { rows } = await clock.runUntil(load)
  expect(rows.every(({ startDelayS }) => startDelayS >= 0 && startDelayS <= 2 ** -9)).toBe(true)
})

test('a closed loop has never more requests in flight than clients, and uses them all', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 40 }),
      durations,
      async (clients, requests, durationsS) => {
        const clock = createVirtualClock()
        const { run, engine } = createEngine(clock, durationsS)
        const { rows } = await clock.runUntil(closedLoop({ clients, requests, run, clock }))
        const used = Math.min(clients, requests)
        expect(engine.most).toBe(used)
        expect(new Set(rows.map(({ client }) => client)).size).toBe(used)
        expect(rows.map(({ index }) => index)).toEqual([...Array(requests).keys()])
      },
    ),
    { numRuns: 30 },
  )
})

test('a closed loop starts nothing after its duration and waits for what runs', async () => {
  const clock = createVirtualClock()
  const { run } = createEngine(clock, [4])
  const load = await clock.runUntil(closedLoop({ clients: 2, durationS: 10, run, clock }))
  expect(load.rows.map(({ startedS }) => startedS)).toEqual([0, 0, 4, 4, 8, 8])
  expect(load).toMatchObject({ durationS: 12, offeredPerS: null, achievedPerS: 0.5 })
  expect(load.rows.every(({ latencyS }) => latencyS === 4)).toBe(true)
})

test('a request that fails is a row, and the load goes on', async () => {
  const clock = createVirtualClock()
  const error = new Error('busy')
  const run = async ({ index }: { readonly index: number }) => {
    await clock.sleep(1)
    if (index === 1) throw error
    return index
  }
  const load = await clock.runUntil(closedLoop({ clients: 1, requests: 3, run, clock }))
  expect(load.rows.map(({ outcome }) => outcome)).toEqual([
    { status: 'done', result: 0 },
    { status: 'failed', error },
    { status: 'done', result: 2 },
  ])
  expect(load.achievedPerS).toBe(2 / 3)
})

test('an abort ends both loops with its reason, after what runs has ended', async () => {
  for (const loop of ['open', 'closed']) {
    const clock = createVirtualClock()
    const stop = new AbortController()
    const reason = new Error('enough')
    const { run, engine } = createEngine(clock, [8])
    const options = { run, clock, signal: stop.signal, requests: 100 }
    const load =
      loop === 'open'
        ? openLoop({ ...options, ratePerS: 1, seed: 1 })
        : closedLoop({ ...options, clients: 3 })
    const aborting = clock.sleep(20).then(() => stop.abort(reason))
    await expect(clock.runUntil(load)).rejects.toBe(reason)
    await aborting
    expect(engine.running).toBe(0)
    expect(clock.now()).toBeLessThan(40)
  }
})

test('a load without an end, and limits that are not above 0, are refused', async () => {
  const run = async () => {}
  // @ts-expect-error: types ask for requests or durationS
  await expect(closedLoop({ clients: 1, run })).rejects.toMatchObject({ code: 'usage-invalid' })
  await expect(closedLoop({ clients: 0, requests: 1, run })).rejects.toThrow('clients is 0.')
  await expect(openLoop({ ratePerS: Number.NaN, requests: 1, run })).rejects.toThrow(
    'ratePerS is NaN.',
  )
  await expect(openLoop({ ratePerS: 1, durationS: -1, run })).rejects.toThrow('durationS is -1.')
})

import type { Meter } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { openFeed } from '../../src/polling/feed.js'
import { createPolledMeter } from '../../src/polling/polled-meter.js'
import { feedOf, PlayedThread } from './played-thread.js'

async function open(threads: readonly PlayedThread[], now = () => 10): Promise<Meter> {
  const feeds = await Promise.all(threads.map((thread) => feedOf(thread, now)))
  const domains = feeds.flatMap((feed) => feed.sources.flatMap((source) => source.domains))
  return createPolledMeter(feeds, { domains, selection: [], now })
}

test('a reading waits for the samples after its end, and no longer', async () => {
  const thread = new PlayedThread()
  const meter = await open([thread])
  for (const timeS of [8, 9]) thread.poll(timeS, timeS)
  const reading = meter.energyBetween(8.5, 9.5)
  for (const timeS of [10, 11]) thread.poll(timeS, timeS)
  expect((await reading).domains.a).toMatchObject({ status: 'measured', energyJ: 1 })
})

test('the thread does not keep the process alive', async () => {
  const thread = new PlayedThread()
  await open([thread])
  expect(thread.unrefs).toBe(1)
})

test('after a crash, what was seen stays readable and the rest says why', async () => {
  const thread = new PlayedThread()
  const meter = await open([thread])
  for (const timeS of [8, 9]) thread.poll(timeS, timeS)
  thread.emit('error', new Error('out of memory'))
  thread.emit('exit', 1)
  expect((await meter.energyBetween(8.2, 8.8)).domains.a).toMatchObject({ status: 'measured' })
  expect((await meter.energyBetween(8.5, 9.5)).domains.a).toMatchObject({
    status: 'unavailable',
    reason: 'failed',
    detail: 'the polling thread crashed: out of memory',
  })
})

test('a thread that crashes takes the domains of no other thread with it', async () => {
  const [a, b] = [new PlayedThread('a'), new PlayedThread('b')]
  const meter = await open([a, b])
  a.emit('exit', 1)
  for (const timeS of [8, 9, 10, 11]) b.poll(timeS, timeS)
  const { domains } = await meter.energyBetween(8.5, 9.5)
  expect(domains.a).toMatchObject({ reason: 'failed' })
  expect(domains.b).toMatchObject({ status: 'measured', energyJ: 1 })
})

test('a driver that hangs is named after 3 s, and the others are read as ever', async () => {
  let nowS = 10
  const [a, b] = [new PlayedThread('a', true), new PlayedThread('b')]
  const meter = await open([a, b], () => nowS)
  for (const timeS of [8, 9]) a.poll(timeS, timeS)
  nowS = 14
  for (const timeS of [8, 9, 12, 13, 14]) b.poll(timeS, timeS)
  const { domains } = await meter.energyBetween(8.5, 12.5)
  expect(domains.b).toMatchObject({ status: 'measured', energyJ: 4 })
  expect(domains.a).toEqual({
    status: 'unavailable',
    reason: 'failed',
    detail: 'the driver (NVML) has not answered for 4 s',
    fix: expect.stringContaining('open the meter again'),
  })
  expect((await meter.energyBetween(8.2, 8.8)).domains.a).toMatchObject({ status: 'measured' })
})

test('a driver that speaks again after a silence is read again', async () => {
  let nowS = 10
  const thread = new PlayedThread()
  const meter = await open([thread], () => nowS)
  thread.poll(9, 9)
  nowS = 20
  for (const timeS of [18, 19, 20]) thread.poll(timeS, timeS)
  expect((await meter.energyBetween(18.2, 18.8)).domains.a).toMatchObject({ status: 'measured' })
})

test('a thread that is stuck in its driver does not hold up dispose', async () => {
  const thread = new PlayedThread('a', true)
  const meter = await open([thread])
  await meter[Symbol.asyncDispose]()
  expect(thread.terminations).toBe(1)
})

test('a thread that crashes before it is ready gives the reason', async () => {
  const thread = new PlayedThread()
  const opening = openFeed(thread, { name: 'NVML', now: () => 10 })
  thread.emit('exit', 1)
  expect(await opening).toMatchObject({
    reason: 'failed',
    detail: 'the polling thread ended with code 1',
  })
})

test('a driver that hangs while it is opened is given up', async () => {
  const thread = new PlayedThread('a', true)
  const opening = openFeed(thread, { name: 'NVML', now: () => 10, openDeadlineS: 0.01 })
  expect(await opening).toMatchObject({
    reason: 'failed',
    detail: expect.stringContaining('has not answered'),
  })
  expect(thread.terminations).toBe(1)
})

test('a source that cannot be opened gives its reason', async () => {
  const thread = new PlayedThread()
  const opening = openFeed(thread, { name: 'NVML', now: () => 10 })
  thread.say({ type: 'found', found: { status: 'available', detail: 'played', devices: [] } })
  thread.say({
    type: 'ready',
    sources: [{ status: 'unavailable', reason: 'device-lost', detail: 'gone' }],
  })
  expect(await opening).toMatchObject({ reason: 'device-lost' })
})

test('dispose ends readings that wait', async () => {
  const thread = new PlayedThread()
  const meter = await open([thread])
  const reading = meter.energyBetween(8.5, 9.5)
  await meter[Symbol.asyncDispose]()
  await expect(reading).rejects.toMatchObject({ code: 'usage-invalid' })
})

test('a GPU that sleeps is not waited for', async () => {
  const thread = new PlayedThread()
  const meter = await open([thread])
  const asleep = { status: 'unavailable', reason: 'asleep', detail: 'suspended' } as const
  thread.say({ type: 'batch', samples: [{ startS: 9, endS: 9, domains: { a: asleep } }] })
  const beganMs = performance.now()
  expect((await meter.energyBetween(9, 9.5)).domains.a).toMatchObject({ reason: 'asleep' })
  expect(performance.now() - beganMs).toBeLessThan(400)
})

test('remarks of a source are kept, the same one once in 10 s', async () => {
  const thread = new PlayedThread()
  const meter = await open([thread])
  for (const timeS of [1, 2, 12]) {
    const sample = { startS: timeS, endS: timeS, domains: {}, remarks: ['wrong'] }
    thread.say({ type: 'batch', samples: [sample] })
  }
  expect(meter.remarksBetween?.(0, 20)).toEqual([
    { timeS: 1, text: 'wrong' },
    { timeS: 12, text: 'wrong' },
  ])
})

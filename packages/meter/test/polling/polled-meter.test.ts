import { EventEmitter } from 'node:events'
import { isUnavailable, type Meter, unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import type { OpenedSource } from '../../src/polling/messages.js'
import { openPolledMeter } from '../../src/polling/polled-meter.js'
import type { PollerThread } from '../../src/polling/poller.js'

const source: OpenedSource = {
  domains: [{ id: 'a', kind: 'gpu', method: 'model', label: 'A', deviceId: 'a' }],
  devices: [],
  timelines: { a: { method: 'model', type: 'steady' } },
}

/** A thread that a test plays. */
class PlayedThread extends EventEmitter implements PollerThread {
  unrefs = 0
  postMessage(): void {
    this.emit('exit', 0)
  }
  unref(): void {
    this.unrefs += 1
  }
  async terminate(): Promise<void> {}
  ready(): void {
    this.emit('message', { type: 'ready', sources: [source] })
  }
  poll(timeS: number, energyJ: number): void {
    const sample = { startS: timeS, endS: timeS, domains: { a: { type: 'energy', energyJ } } }
    this.emit('message', { type: 'batch', samples: [sample] })
  }
}

async function open(thread: PlayedThread): Promise<Meter> {
  const opening = openPolledMeter(thread, { selection: [], now: () => 10 })
  thread.ready()
  const meter = await opening
  if (isUnavailable(meter)) throw new Error(meter.detail)
  return meter
}

test('a reading waits for the sample after its end, and no longer', async () => {
  const thread = new PlayedThread()
  const meter = await open(thread)
  for (const timeS of [8, 9]) thread.poll(timeS, timeS)
  const reading = meter.energyBetween(8.5, 9.5)
  thread.poll(10, 10)
  expect((await reading).domains.a).toMatchObject({ status: 'measured', energyJ: 1 })
})

test('the thread does not keep the process alive', async () => {
  const thread = new PlayedThread()
  await open(thread)
  expect(thread.unrefs).toBe(1)
})

test('after a crash, what was seen stays readable and the rest says why', async () => {
  const thread = new PlayedThread()
  const meter = await open(thread)
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

test('a thread that crashes before it is ready gives the reason', async () => {
  const thread = new PlayedThread()
  const opening = openPolledMeter(thread, { selection: [], now: () => 10 })
  thread.emit('exit', 1)
  expect(await opening).toMatchObject({
    reason: 'failed',
    detail: 'the polling thread ended with code 1',
  })
})

test('a source that cannot be opened gives its reason', async () => {
  const thread = new PlayedThread()
  const opening = openPolledMeter(thread, { selection: [], now: () => 10 })
  thread.emit('message', { type: 'ready', sources: [unavailable('device-lost', 'gone')] })
  expect(await opening).toMatchObject({ reason: 'device-lost' })
})

test('dispose ends readings that wait', async () => {
  const thread = new PlayedThread()
  const meter = await open(thread)
  const reading = meter.energyBetween(8.5, 9.5)
  await meter[Symbol.asyncDispose]()
  await expect(reading).rejects.toMatchObject({ code: 'usage-invalid' })
})

import type { SourceSample } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { pollSource } from '../../src/polling/poll-loop.js'
import type { PolledSource } from '../../src/polling/polled-source.js'

function sourceOf(sample: () => Promise<SourceSample>): PolledSource {
  return {
    id: 'plug',
    domains: [{ id: 'a', kind: 'system', method: 'wall', label: 'A', deviceId: 'a' }],
    devices: [],
    pacing: { type: 'steady', intervalS: 1 },
    timelines: { a: { method: 'wall', type: 'power' } },
    sample,
    async [Symbol.asyncDispose]() {},
  }
}

/** Polls so often, and gives what was delivered. */
async function polled(source: PolledSource, times: number): Promise<readonly SourceSample[]> {
  const stop = new AbortController()
  const samples: SourceSample[] = []
  let left = times
  await pollSource(source, {
    signal: stop.signal,
    deliver: (batch) => samples.push(...batch),
    sleep: async () => {
      left -= 1
      if (left === 0) stop.abort()
    },
    deadlineS: 0.01,
  })
  return samples
}

test('a poll that throws leaves every domain without a value, and the run goes on', async () => {
  const samples = await polled(
    sourceOf(() => Promise.reject(new Error('no route'))),
    2,
  )
  expect(samples).toHaveLength(2)
  expect(samples[0]?.domains.a).toMatchObject({ reason: 'failed', detail: 'plug threw: no route' })
})

test('a poll that never ends is given up at its deadline, and no second one runs beside it', async () => {
  let polls = 0
  const source = sourceOf(() => {
    polls += 1
    return new Promise(() => {})
  })
  const samples = await polled(source, 3)
  expect(samples.map(({ domains }) => domains.a)).toMatchObject([
    { reason: 'failed', detail: expect.stringContaining('has not answered') },
    { reason: 'failed' },
    { reason: 'failed' },
  ])
  expect(polls).toBe(1)
})

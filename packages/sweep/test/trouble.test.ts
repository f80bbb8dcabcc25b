import { EnergyBenchError, isUnavailable, type LoadedModel } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { type MeasureEvent, measure } from '../src/index.js'
import { createBench } from './support/bench.js'
import { createFakeModel, engineDied } from './support/fake-model.js'
import { createFakeTask } from './support/fake-task.js'

const itemsOf = (events: readonly MeasureEvent[]) =>
  events.flatMap((event) => (event.type === 'item-end' ? [event.record] : []))

test('one failing item is recorded, its energy counts, and the run goes on', async () => {
  const bench = createBench({
    answer(prompt, call) {
      if (call === 4) throw engineDied()
      return { text: prompt }
    },
  })
  const report = await bench.run({ repetitions: 1 })
  expect(report.outcomes).toMatchObject({ correct: 3, error: 1 })
  expect(report.items[1]).toMatchObject({
    outcome: 'error',
    finishReason: null,
    tokens: { outputTokens: null },
    error: { code: 'backend-failed', message: 'the engine has gone away' },
  })
  expect(report.tokens.outputTokens).toBe(15)
})

test('an engine that died stops the run after three failures, with all finished items told', async () => {
  const bench = createBench({
    answer(prompt, call) {
      if (call > 4) throw engineDied()
      return { text: prompt }
    },
  })
  await expect(bench.run()).rejects.toMatchObject({
    code: 'backend-failed',
    message: expect.stringContaining('3 items in a row'),
    cause: { message: 'the engine has gone away' },
  })
  expect(itemsOf(bench.events).map((record) => record.outcome)).toEqual([
    'correct',
    'correct',
    'error',
    'error',
    'error',
  ])
})

test('abort rejects with the reason, after finished items were told', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const bench = createBench({
    answer(prompt, call) {
      if (call === 5) controller.abort(reason)
      return { text: prompt }
    },
  })
  await expect(bench.run({ signal: controller.signal })).rejects.toBe(reason)
  expect(itemsOf(bench.events).length).toBe(3)
  expect(bench.events.some((event) => event.type === 'cell-end')).toBe(false)
})

test('an aborted signal starts nothing', async () => {
  const bench = createBench()
  const reason = new Error('never mind')
  await expect(bench.run({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(bench.events).toEqual([])
})

test('an item over its time limit is a timeout', async () => {
  const bench = createBench()
  const hangs = {
    ...createFakeModel({ answer: () => ({ text: '' }), advance: () => {} }),
    async *generate({ signal }: { readonly signal?: AbortSignal }) {
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    },
  }
  const report = await measure(hangs, createFakeTask(2), {
    meter: bench.meter,
    idleS: 0,
    warmupItems: 0,
    repetitions: 1,
    itemTimeoutS: 0.01,
  })
  expect(report.outcomes.timeout).toBe(2)
  expect(report.items[0]?.error?.message).toContain('longer than 0.01 s')
})

test('an answer that the engine gave up for its own time limit is a timeout with its real cost', async () => {
  const bench = createBench()
  const gaveUp = new EnergyBenchError('backend-timeout', 'No answer within 600 s.')
  const slow: LoadedModel = {
    ...bench.model,
    async *generate(request) {
      const isSecond = request.messages[0]?.content === '2'
      for await (const event of bench.model.generate(request)) {
        if (event.type === 'end' && isSecond) throw gaveUp
        yield event
      }
    },
  }
  const report = await measure(slow, bench.task, { meter: bench.meter, idleS: 0, repetitions: 1 })
  expect(report.items[1]).toMatchObject({
    outcome: 'timeout',
    durationS: 0.5,
    energy: { counter: { energyJ: 150 } },
    error: { code: 'backend-timeout' },
  })
})

test('prompts that are too long say nothing about the engine, so the run goes on', async () => {
  const answer = () => {
    throw new EnergyBenchError('prompt-too-long', '5000 tokens do not fit into 4096.')
  }
  const report = await createBench({ answer }).run({ repetitions: 1 })
  expect(report.outcomes.error).toBe(4)
})

test('a stream without an end event is a failure of the engine', async () => {
  const bench = createBench()
  const cut = {
    ...bench.model,
    async *generate() {
      yield { type: 'text-delta' as const, text: '1' }
    },
  }
  const run = measure(cut, bench.task, { meter: bench.meter, idleS: 0, repetitions: 1 })
  await expect(run).rejects.toMatchObject({
    code: 'backend-failed',
    cause: { code: 'stream-cut', isRetryable: true },
  })
})

test('a scorer that throws makes an error of the task and does not stop the run', async () => {
  const task = {
    ...createFakeTask(4),
    score() {
      throw new Error('bad regular expression')
    },
  }
  const report = await createBench({ task }).run({ repetitions: 1 })
  expect(report.outcomes.error).toBe(4)
  expect(report.items[0]?.error).toEqual({
    code: 'task-invalid',
    message: 'bad regular expression',
  })
})

test('a listener that throws stops the run with its error', async () => {
  const bench = createBench()
  const full = new Error('disk full')
  const run = bench.run({
    onEvent(event) {
      if (event.type === 'item-end') throw full
    },
  })
  await expect(run).rejects.toBe(full)
  expect(itemsOf(bench.events).length).toBeLessThan(4)
})

test.each(['length', 'context-full'] as const)(
  'an answer cut by %s is truncated unless it is correct',
  async (finishReason) => {
    const answer = (prompt: string) => ({ text: prompt === '1' ? '1' : 'x', finishReason })
    const report = await createBench({ answer }).run({ repetitions: 1 })
    expect(report.outcomes).toMatchObject({ correct: 1, truncated: 3 })
    expect(report.honesty.map((flag) => flag.name)).toContain('truncated-answers')
  },
)

test('thinking is cut before scoring, and told when it was to be off', async () => {
  const answer = (prompt: string) => ({ text: `<think>hm</think>\n${prompt}`, thinking: 'hm' })
  const report = await createBench({ answer }).run({ repetitions: 1, thinking: 'off' })
  expect(report.items[0]).toMatchObject({ outcome: 'correct', output: '1', thought: true })
  expect(report.honesty.map((flag) => flag.name)).toContain('thinking-ignored')
})

test('what the engine does not count is null, not 0', async () => {
  const answer = (prompt: string) => ({ text: prompt, tokens: { outputTokens: null } })
  const report = await createBench({ answer }).run({ repetitions: 1 })
  expect(report.tokens.outputTokens).toBeNull()
  expect(report.throughput.outputTokensPerS).toBeNull()
  expect(isUnavailable(report.energyPerOutputTokenJ.net)).toBe(true)
})

import type { Task } from '@energy-bench/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CoreExample,
  coreItems,
  createCoreTask,
  defineTask,
  prepareTask,
} from '../src/index.js'

const numbers = defineTask({
  id: 'numbers',
  examples: Array.from({ length: 100 }, (_, i) => ({ id: `n${i}`, value: i })),
  render: ({ value }) => `Say ${value}`,
  score: ({ value }, output) => output === String(value),
  maxOutputTokens: 4,
})

describe('a sample of a task', () => {
  test('is the one that random.Random(1234).sample draws, in the order of the task', async () => {
    const task = await prepareTask(numbers, { items: 6, seed: 1234 })
    expect(task.items.map((item) => item.example.value)).toEqual([0, 11, 14, 56, 74, 99])
  })

  test('records how it was drawn', async () => {
    const task = await prepareTask(numbers, { items: 6, seed: 1234 })
    const source = 'defined by the caller'
    expect(task.provenance).toEqual({ source, items: 6, sampledFrom: 100, sampleSeed: 1234 })
    expect(task.digest).not.toBe(numbers.digest)
  })

  test('renders and scores as the task does', async () => {
    const task = await prepareTask(numbers, { items: 1, seed: 3 })
    const example = { id: 'n5', value: 5 }
    expect(task.render(example)).toBe('Say 5')
    expect(await task.score(example, '5')).toEqual({ outcome: 'correct', extracted: '5' })
  })

  test('of all items has the digest of the task', async () => {
    expect((await prepareTask(numbers, { items: 100 })).digest).toBe(numbers.digest)
  })

  test('is the task itself when no number is given', async () => {
    expect(await prepareTask(numbers)).toBe(numbers)
  })

  test.each([0, 101, 2.5])('of %d items is refused', async (items) => {
    await expect(prepareTask(numbers, { items })).rejects.toMatchObject({
      code: 'task-invalid',
      message: `numbers: items is ${items}`,
      fix: 'Give a whole number from 1 to 100.',
    })
  })

  test('with a broken seed is refused', async () => {
    await expect(prepareTask(numbers, { items: 2, seed: 0.5 })).rejects.toMatchObject({
      message: 'numbers: seed is 0.5',
    })
  })
})

describe('a sample of the core suite', () => {
  const core = (items: number, seed = 1) => prepareTask('core', { items, seed })
  const strataOf = (task: Task<CoreExample>) =>
    task.items.map(({ example }) => `${example.family} ${example.level}`)

  test('of 18 items has one of each family and level', async () => {
    expect(new Set(strataOf(await core(18))).size).toBe(18)
  })

  test('of 6 items has one of each family and two of each level', async () => {
    const { items } = await core(6)
    expect(new Set(items.map((item) => item.group)).size).toBe(6)
    expect(items.map((item) => item.example.level).toSorted()).toEqual([1, 1, 2, 2, 3, 3])
  })

  test('is spread evenly, and held out, for every number and seed', async () => {
    const heldOut = new Set(coreItems({ itemsPerFamily: 400 }).map((item) => item.id))
    const cases = fc.tuple(fc.integer({ min: 18, max: 2394 }), fc.nat())
    await fc.assert(
      fc.asyncProperty(cases, async ([items, seed]) => {
        const task = await core(items, seed)
        const counts = new Map<string, number>()
        for (const name of strataOf(task)) counts.set(name, (counts.get(name) ?? 0) + 1)
        expect(task.items).toHaveLength(items)
        expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThan(2)
        expect(task.items.every((item) => heldOut.has(item.id))).toBe(true)
      }),
      { numRuns: 10 },
    )
  })

  test('is the same for the same seed, and another for another', async () => {
    const [a, b, c] = [await core(60, 1), await core(60, 1), await core(60, 2)]
    expect(a.digest).toBe(b.digest)
    expect(a.digest).not.toBe(c.digest)
  })

  test('has this digest for 150 items and seed 1234', async () => {
    const task = await core(150, 1234)
    expect(task.digest).toBe(
      'sha256:177145129271a871e9e107d95eb73799b94344e3a0a26a488717a43b255d7972',
    )
    expect(task.provenance).toMatchObject({ seed: 1_000_003, items: 150, sampleSeed: 1234 })
  })

  test('is the default suite when no number is given', async () => {
    expect((await prepareTask('core')).digest).toBe(createCoreTask().digest)
  })

  test('of more items than there are is refused', async () => {
    await expect(core(2395)).rejects.toMatchObject({ fix: 'Give a whole number from 1 to 2394.' })
  })
})

test('a name that is not built in is refused', async () => {
  const unknown = 'gsm8k' as unknown as Task
  await expect(prepareTask(unknown)).rejects.toMatchObject({
    code: 'task-invalid',
    message: 'there is no built-in task "gsm8k"',
  })
})

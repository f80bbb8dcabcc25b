import { describe, expect, test } from 'vitest'
import { defineTask, type ScoreResult, type TaskDefinition } from '../src/index.js'

interface Review {
  readonly id: string
  readonly text: string
  readonly label: string
}

const definition: TaskDefinition<Review> = {
  id: 'sentiment',
  examples: [
    { id: '1', text: 'a joyless slog', label: 'negative' },
    { id: '2', text: 'an absolute delight', label: 'positive' },
  ],
  render: (example) => `Positive or negative?\n\n${example.text}`,
  score: (example, output) => output.trim() === example.label,
  maxOutputTokens: 4,
}
const example = { id: '1', text: 'a joyless slog', label: 'negative' }

describe('a defined task', () => {
  test('has an item for each example', () => {
    const task = defineTask(definition)
    expect(task).toMatchObject({
      specVersion: 1,
      id: 'sentiment',
      version: '1',
      maxOutputTokens: 4,
    })
    expect(task.items.map((item) => item.id)).toEqual(['1', '2'])
    expect(task.items[0]).toEqual({ id: '1', example })
    expect(task.render(example)).toBe('Positive or negative?\n\na joyless slog')
    expect(task.provenance).toEqual({ source: 'defined by the caller', items: 2 })
  })

  test('keeps version, group and provenance when they are given', () => {
    const provenance = { source: 'my file', license: 'CC0' }
    const task = defineTask({
      ...definition,
      version: '2',
      group: ({ label }) => label,
      provenance,
    })
    expect(task.version).toBe('2')
    expect(task.items.map((item) => item.group)).toEqual(['negative', 'positive'])
    expect(task.provenance).toEqual({ source: 'my file', license: 'CC0', items: 2 })
  })

  test('has a digest that depends on the prompt', () => {
    const { digest } = defineTask(definition)
    expect(digest).toBe('sha256:9d34512cd924c4bcba230b886c91a62e4f741ee35f9233d0f896a59c1080b3ba')
    expect(defineTask({ ...definition, render: () => 'other' }).digest).not.toBe(digest)
  })

  test('takes the type of the example from the examples', () => {
    const task = defineTask({
      id: 'sum',
      examples: [{ id: '1', a: 2, b: 3 }],
      render: ({ a, b }) => `${a}+${b}`,
      score: ({ a, b }, output) => Number(output) === a + b,
      maxOutputTokens: 8,
    })
    expect(task.items[0]?.example.a).toBe(2)
  })
})

describe('what a scorer returns becomes a score', () => {
  const scored = (result: ScoreResult, output = 'text') =>
    defineTask({ ...definition, score: () => result }).score(example, output)

  test('true and 1 are correct', async () => {
    expect(await scored(true)).toEqual({ outcome: 'correct', extracted: 'text' })
    expect(await scored(1)).toEqual({ outcome: 'correct', extracted: 'text' })
  })

  test('false and every number below 1 are wrong', async () => {
    expect(await scored(false)).toEqual({ outcome: 'wrong', extracted: 'text' })
    expect(await scored(0.99)).toEqual({ outcome: 'wrong', extracted: 'text' })
  })

  test('a blank answer that is not correct is empty', async () => {
    expect(await scored(false, ' \n')).toEqual({ outcome: 'empty' })
  })

  test('a full score is passed on', async () => {
    expect(await scored({ outcome: 'refused' })).toEqual({ outcome: 'refused' })
  })

  test('a promise is awaited', async () => {
    const task = defineTask({ ...definition, score: async () => true })
    expect(await task.score(example, 'x')).toEqual({ outcome: 'correct', extracted: 'x' })
  })

  test.each([2, -0.1, Number.NaN, undefined, null])('%s is refused', async (result) => {
    await expect(scored(result as ScoreResult)).rejects.toMatchObject({
      code: 'task-invalid',
      message: `sentiment: item 1: score is ${result}`,
    })
  })
})

describe('a definition is refused, naming the field', () => {
  const twice = [example, { ...example, id: '2' }, example]
  test.each([
    ['without an id', { id: '' }, 'task: id is '],
    ['without examples', { examples: [] }, 'sentiment: examples is empty or no array'],
    ['whose examples are no array', { examples: 'x' }, 'sentiment: examples is empty or no array'],
    ['without a prompt function', { render: undefined }, 'sentiment: render is undefined'],
    ['without a scorer', { score: 'exact' }, 'sentiment: score is string'],
    ['without a budget', { maxOutputTokens: 0 }, 'sentiment: maxOutputTokens is 0'],
    ['with an id that is a number', { examples: [{ id: 7 }] }, 'sentiment: examples[0].id is 7'],
    ['with a null example', { examples: [null] }, 'sentiment: examples[0].id is undefined'],
    [
      'with an id that comes twice',
      { examples: twice },
      'sentiment: examples[2].id "1" is also that of examples[0]',
    ],
  ])('%s', (_, change, message) => {
    const broken = { ...definition, ...change } as unknown as TaskDefinition<Review>
    expect(() => defineTask(broken)).toThrow(
      expect.objectContaining({ code: 'task-invalid', message, fix: expect.any(String) }),
    )
  })
})

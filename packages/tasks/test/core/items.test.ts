import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CoreItem, coreFamilies, coreItems, coreItemsPerFamilyLimit } from '../../src/index.js'

const recipe = fileURLToPath(
  new URL('../../../reference-model/training/tasks_gen.py', import.meta.url),
)
const hasPython = spawnSync('python3', ['--version']).status === 0

function pythonItems(itemsPerFamily: number, seed: number): CoreItem[] {
  const flags = ['-B', recipe, '--items', String(itemsPerFamily), '--seed', String(seed)]
  const printed = execFileSync('python3', flags, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return JSON.parse(printed) as CoreItem[]
}

describe.skipIf(!hasPython)('the items equal those of the Python training recipe', () => {
  test.each([
    [400, 1_000_003],
    [200, 1],
    [100, 42],
    [50, 123_456_789],
    [30, 0],
    [30, 2 ** 48],
  ])('%i per family, seed %i', (itemsPerFamily, seed) => {
    expect(coreItems({ itemsPerFamily, seed })).toEqual(pythonItems(itemsPerFamily, seed))
  })
})

test('the first items are these', () => {
  expect(
    coreItems({ itemsPerFamily: 1 }).map(({ id, prompt, answer }) => [id, prompt, answer]),
  ).toEqual([
    ['arithmetic-000', 'Work out 142 + 154.', '296'],
    [
      'word-problem-000',
      "There are 6 crayons in Ida's bag. She sells 5 of them. She buys 8 more. How many crayons are left with Ida?",
      '9',
    ],
    [
      'lookup-000',
      '- Seth: job pilot\n- Leo: job lawyer\n- Petra: job chemist\nWho has the job chemist?\nA) Leo B) Petra C) Seth D) Emil\nAnswer with a letter.',
      'B',
    ],
    [
      'extraction-000',
      'Karl here. Room 85 is booked for Wednesday 9:30, reason WB-4310. Reach me at 555-3467.\nReturn JSON with keys: ticket, day.',
      '{"ticket": "WB-4310", "day": "Wednesday"}',
    ],
    [
      'classification-000',
      'Classify the review as positive, negative or mixed.\nThe smell is weak. That is my view.',
      'negative',
    ],
    ['ordering-000', 'What is the largest number in this list: 256, 27, 361, 195, 315?', '361'],
  ])
})

test('every shorter list is part of the list that was kept out of training', () => {
  const heldOut = new Set(coreItems({ itemsPerFamily: 400 }).map((item) => item.key))
  expect(heldOut.size).toBe(2400)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (itemsPerFamily) => {
      const items = coreItems({ itemsPerFamily })
      expect(items).toHaveLength(6 * itemsPerFamily)
      expect(items.every((item) => heldOut.has(item.key))).toBe(true)
    }),
    { numRuns: 15 },
  )
})

test('for every seed levels come in turn, and no two items of a family are alike', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 }), (seed) => {
      const items = coreItems({ itemsPerFamily: 12, seed })
      expect(items.map((item) => item.family)).toEqual(
        coreFamilies.flatMap((family) => Array(12).fill(family)),
      )
      expect(items.slice(0, 6).map((item) => item.level)).toEqual([1, 2, 3, 1, 2, 3])
      expect(new Set(items.map((item) => item.id)).size).toBe(72)
      expect(new Set(items.map((item) => `${item.family} ${item.key}`)).size).toBe(72)
    }),
    { numRuns: 25 },
  )
})

test('no placeholder is left in any text', () => {
  for (const { prompt, think } of coreItems({ itemsPerFamily: coreItemsPerFamilyLimit })) {
    expect(`${prompt}\n${think}`).not.toMatch(/\{\w*\}|undefined|NaN/)
  }
})

test.each([0, 401, 1.5, Number.NaN])('%d items per family are refused', (itemsPerFamily) => {
  expect(() => coreItems({ itemsPerFamily })).toThrow(
    expect.objectContaining({
      code: 'task-invalid',
      message: `core: itemsPerFamily is ${itemsPerFamily}`,
    }),
  )
})

test.each([-1, 0.5, 2 ** 49])('seed %d is refused', (seed) => {
  expect(() => coreItems({ seed })).toThrow(
    expect.objectContaining({ code: 'task-invalid', message: `core: seed is ${seed}` }),
  )
})

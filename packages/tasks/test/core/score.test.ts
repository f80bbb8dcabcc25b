import { describe, expect, test } from 'vitest'
import { scoreCore } from '../../src/core/score.js'
import { type CoreFamily, coreFamilies, coreItems } from '../../src/index.js'

test('the own answer of the generator is correct for every item of the suite', () => {
  const wrong = coreItems({ itemsPerFamily: 400 }).filter(
    (item) => scoreCore(item, `\n${item.answer} `).outcome !== 'correct',
  )
  expect(wrong).toEqual([])
})

test('the answer of another item is never correct, unless it is the same answer', () => {
  const items = coreItems({ itemsPerFamily: 40 })
  for (const [i, item] of items.entries()) {
    const other = items[(i + 1) % items.length]?.answer ?? ''
    if (other === item.answer) continue
    expect(scoreCore(item, other).outcome).not.toBe('correct')
  }
})

test.each(coreFamilies)('a blank answer is empty in %s', (family) => {
  expect(scoreCore({ family, answer: '1' }, ' \n ')).toEqual({ outcome: 'empty' })
})

describe('outcomes', () => {
  const rows: readonly (readonly [CoreFamily, string, string, string])[] = [
    ['arithmetic', '42', '42', 'correct'],
    ['arithmetic', '42', '43', 'wrong'],
    ['arithmetic', '42', 'The answer is 42', 'wrong'],
    ['arithmetic', '42', 'I do not know', 'unparsed'],
    ['arithmetic', '14 r 2', '14 r 2', 'correct'],
    ['word-problem', '7', '7', 'correct'],
    ['word-problem', '7', 'seven', 'unparsed'],
    ['lookup', 'B', 'B', 'correct'],
    ['lookup', 'B', 'C', 'wrong'],
    ['lookup', 'B', 'E', 'unparsed'],
    ['lookup', 'B', 'B) Oslo', 'unparsed'],
    ['classification', 'mixed', 'mixed', 'correct'],
    ['classification', 'mixed', 'positive', 'wrong'],
    ['classification', 'mixed', 'neutral', 'unparsed'],
    ['ordering', '1, 2, 3', '1, 2, 3', 'correct'],
    ['ordering', '1, 2, 3', '1, 3, 2', 'wrong'],
    ['ordering', '1, 2, 3', '1,2,3', 'wrong'],
    ['ordering', '1, 2, 3', 'Here is the list: 1, 2, 3', 'unparsed'],
    ['extraction', '{"a": 1, "b": "x"}', '{"b":"x","a":1}', 'correct'],
    ['extraction', '{"a": 1, "b": "x"}', '{"a": "1", "b": "x"}', 'wrong'],
    ['extraction', '{"a": 1, "b": "x"}', '{"a": 1}', 'wrong'],
    ['extraction', '{"a": 1}', '{"a": 1, "b": 2}', 'wrong'],
    ['extraction', '{"a": 1}', '{"a": 1', 'unparsed'],
    ['extraction', '{"a": 1}', '[1]', 'unparsed'],
  ]

  test.each(rows)('%s: expected %s, answered %s: %s', (family, answer, ...answered) => {
    const [output, outcome] = answered
    expect(scoreCore({ family, answer }, output)).toEqual({ outcome, extracted: output })
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stripThinking } from '../src/index.js'

test.each([
  ['an answer without thinking stays', ' 42\n', '42'],
  ['a closed block goes', '<think>\n6*7\n</think>\n\n42', '42'],
  ['an empty block goes', '<think>\n\n</think>\n\n42', '42'],
  ['thinking that was cut off leaves no answer', '<think>\n6*7=42', ''],
  ['thinking whose opening tag was in the prompt goes', '6*7\n</think>\n\n42', '42'],
  ['thinking that starts again and is cut off leaves no answer', '<think>a</think>b<think>c', ''],
  ['nothing stays nothing', '', ''],
])('%s', (_, text, answer) => {
  expect(stripThinking(text)).toBe(answer)
})

test('no tag is ever left, and a second pass changes nothing', () => {
  const piece = fc.constantFrom('<think>', '</think>', '42', '\n', ' a ')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const answer = stripThinking(pieces.join(''))
      expect(answer).not.toMatch(/<\/?think>/)
      expect(stripThinking(answer)).toBe(answer)
    }),
  )
})

import { expect, test } from 'vitest'
import { stripThinking } from '../src/run/strip-thinking.js'

test.each([
  ['4', '4', false],
  ['<think>2 + 2</think>\n\n4', '4', true],
  ['<think>a</think>4<think>b</think>', '4', true],
  ['so 2 + 2</think>4', '4', true],
  ['<think>never ends', '', true],
  ['4 < 5', '4 < 5', false],
])('of %j the answer is %j', (output, text, thought) => {
  expect(stripThinking(output)).toEqual({ text, thought })
})

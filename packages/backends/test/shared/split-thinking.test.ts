import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createThinkingSplitter } from '../../src/shared/split-thinking.js'

function split(chunks: readonly string[], startsInThinking = false) {
  const splitter = createThinkingSplitter(startsInThinking)
  const pieces = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]
  const join = (type: string) =>
    pieces
      .filter((piece) => piece.type === type)
      .map((piece) => piece.text)
      .join('')
  return { thinking: join('thinking-delta'), text: join('text-delta') }
}

describe('createThinkingSplitter', () => {
  test('separates a block at the start from the answer', () => {
    expect(split(['<think>\nhm\n</think>\n\n433'])).toEqual({ thinking: 'hm\n', text: '433' })
  })

  test('leaves text without tags as it is', () => {
    expect(split(['  a < b ', 'and <b>'])).toEqual({ thinking: '', text: '  a < b and <b>' })
  })

  test('takes an unclosed block as thinking', () => {
    expect(split(['<think>never ', 'ends </thi'])).toEqual({
      thinking: 'never ends </thi',
      text: '',
    })
  })

  test('takes the text before a lone closing tag as thinking when the prompt opened the block', () => {
    expect(split(['hm</th', 'ink>433'], true)).toEqual({ thinking: 'hm', text: '433' })
  })

  test('drops a closing tag that nothing opened', () => {
    expect(split(['433', '</think>', '4'])).toEqual({ thinking: '', text: '4334' })
  })

  test('leaves tags alone inside the answer', () => {
    const text = 'Write <think>x</think> first.'
    expect(split([`<think>a</think>${text}`])).toEqual({ thinking: 'a', text })
  })

  test('gives nothing for an empty block', () => {
    expect(split(['<think>\n\n</think>\n\n'])).toEqual({ thinking: '', text: '' })
  })

  test('does not depend on where the chunks are cut', () => {
    const parts = fc.constantFrom('<think>', '</think>', '<', '</th', 'a', ' ', '\n', 'ink>', '433')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), fc.boolean(), (words, starts) => {
        const text = words.join('')
        expect(split([...text], starts)).toEqual(split([text], starts))
        expect(split(words, starts)).toEqual(split([text], starts))
      }),
    )
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStopCutter } from '../../src/shared/cut-at-stop.js'

function cut(chunks: readonly string[], stop: readonly string[]): string {
  const cutter = createStopCutter(stop)
  let text = ''
  for (const chunk of chunks) {
    if (!cutter.isStopped) text += cutter.push(chunk)
  }
  return cutter.isStopped ? text : text + cutter.end()
}

test('text ends before the first stop word', () => {
  expect(cut(['one two ', 'three four'], ['four', 'three'])).toBe('one two ')
})

test('a stop word may be cut over chunks', () => {
  expect(cut(['a\n', 'Ques', 'tion: b'], ['\nQuestion:'])).toBe('a')
})

test('half a stop word at the end is text', () => {
  expect(cut(['a Ques'], ['Question'])).toBe('a Ques')
})

test('where the chunks are cut does not matter', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
  fc.assert(
    fc.property(letters, fc.array(letters, { maxLength: 3 }), (text, stop) => {
      expect(cut([...text], stop)).toBe(cut([text], stop))
    }),
  )
})

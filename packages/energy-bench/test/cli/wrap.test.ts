import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrap } from '../../src/cli/wrap.js'

test('a long line breaks between words and goes on indented', () => {
  expect(wrap('  one two three four', 10)).toBe('  one two\n    three\n    four')
})

test('a short line stays as it is', () => {
  expect(wrap('one\n\ntwo', 10)).toBe('one\n\ntwo')
})

test('no line is longer than the terminal, and no word is lost', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1 })
  fc.assert(
    fc.property(words, (list) => {
      const wrapped = wrap(list.join(' '), 20)
      for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(20)
      expect(wrapped.replaceAll(/\s/g, '')).toBe(list.join(''))
    }),
  )
})

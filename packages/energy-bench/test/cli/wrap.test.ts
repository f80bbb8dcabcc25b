import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrap } from '../../src/cli/wrap.js'

test('a long line breaks between words and goes on indented', () => {
  expect(wrap('  one two three four', 10)).toBe('  one two\n    three\n    four')
})

test('a short line stays as it is', () => {
  expect(wrap('one\n\ntwo', 10)).toBe('one\n\ntwo')
})

test('a word that does not fit stays whole on a line of its own', () => {
  const url = 'http://127.0.0.1:11434#a-long-name'
  expect(wrap(`  see ${url} there`, 20)).toBe(`  see\n    ${url}\n    there`)
})

test('a line is longer than the terminal only for one word that is, and no word is lost', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1 })
  fc.assert(
    fc.property(words, (list) => {
      const wrapped = wrap(list.join(' '), 20)
      for (const line of wrapped.split('\n')) {
        if (line.length > 20) expect(line.trim()).not.toContain(' ')
      }
      expect(wrapped.split(/\s+/)).toEqual(list)
    }),
  )
})

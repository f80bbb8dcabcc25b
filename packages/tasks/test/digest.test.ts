import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../src/canonical-json.js'
import { digestItems } from '../src/index.js'

const render = (example: unknown) => `prompt of ${JSON.stringify(example)}`

test('the digest is that of the rows as JSON with sorted keys', () => {
  const items = [{ id: '1', example: { b: 1, a: 'x' } }]
  const rows = '[["1","q",{"a":"x","b":1}]]'
  const hex = createHash('sha256').update(rows).digest('hex')
  expect(digestItems(items, () => 'q')).toBe(`sha256:${hex}`)
})

test('the digest does not depend on the order of keys', () => {
  const a = digestItems([{ id: '1', example: { x: 1, y: 2 } }], () => '')
  const b = digestItems([{ id: '1', example: { y: 2, x: 1 } }], () => '')
  expect(a).toBe(b)
})

test('the digest changes with the id, the example, the prompt and the order of items', () => {
  const [one, two] = [
    { id: '1', example: 1 },
    { id: '2', example: 2 },
  ]
  const digests = [
    digestItems([one, two], render),
    digestItems([two, one], render),
    digestItems([{ ...one, id: '3' }, two], render),
    digestItems([{ ...one, example: 3 }, two], () => 'same'),
    digestItems([one, two], () => 'same'),
    digestItems([one], render),
  ]
  expect(new Set(digests).size).toBe(6)
})

test('canonical JSON keeps every value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('an example that is no JSON is refused by the name of its item', () => {
  expect(() => digestItems([{ id: 'seven', example: 7n }], () => '')).toThrow(
    expect.objectContaining({
      code: 'task-invalid',
      message: 'item seven: the example cannot be written as JSON',
    }),
  )
})

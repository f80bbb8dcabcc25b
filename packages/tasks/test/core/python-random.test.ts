import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPythonRandom } from '../../src/index.js'

// The expected numbers were printed by CPython 3.11: random.Random(seed).random() and so on.
describe('the generator draws what CPython draws', () => {
  test.each([
    [0, 0.8444218515250481, 0.7579544029403025, 0.420571580830845],
    [1, 0.13436424411240122, 0.8474337369372327, 0.763774618976614],
    [31000093, 0.03548888645090564, 0.7118812800863441, 0.7724318534814765],
    [4294967295, 0.6353574441341173, 0.20319993954407756, 0.6073666030347188],
    [4294967296, 0.11299430095636409, 0.41782886486292836, 0.0166763664992291],
    [9007199254740991, 0.09425040007102303, 0.22287455761867403, 0.19135148760372034],
  ])('random() for seed %i', (seed, ...expected) => {
    const rng = createPythonRandom(seed)
    expect([rng.random(), rng.random(), rng.random()]).toEqual(expected)
  })

  test('random() after the state was renewed', () => {
    const rng = createPythonRandom(7)
    for (let i = 0; i < 1000; i++) rng.random()
    expect(rng.random()).toBe(0.950867979111096)
  })

  test('randBelow()', () => {
    const rng = createPythonRandom(5)
    expect([1, 2, 10, 1000, 2 ** 31, 2 ** 32 - 1].map((limit) => rng.randBelow(limit))).toEqual([
      0, 1, 8, 29, 1999834075, 3332716663,
    ])
  })

  test.each([
    [3, 4, [3, 2, 1]],
    [5, 21, [14, 17, 20, 18, 16]],
    [5, 22, [14, 17, 16, 18, 6]],
    [6, 85, [57, 71, 59, 84, 65, 75]],
    [6, 86, [57, 71, 59, 65, 75, 24]],
    [10, 9999, [7411, 9171, 7629, 7402, 8320, 9623, 3111, 3025, 8387, 7794]],
    [4, 4, [3, 2, 1, 0]],
  ])('sample() of %i of %i', (count, size, expected) => {
    const population = Array.from({ length: size }, (_, i) => i)
    expect(createPythonRandom(11).sample(population, count)).toEqual(expected)
  })
})

test('a seed and its negative give the same numbers, as in CPython', () => {
  expect(createPythonRandom(-42).random()).toBe(createPythonRandom(42).random())
})

test('numbers stay in their range for every seed', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 2 ** 32 - 1 }), (seed, limit) => {
      const rng = createPythonRandom(seed)
      const [share, below] = [rng.random(), rng.randBelow(limit)]
      expect(share >= 0 && share < 1).toBe(true)
      expect(below >= 0 && below < limit).toBe(true)
    }),
  )
})

test('a sample holds distinct elements of the population', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 300 }), fc.nat(), (seed, size, wish) => {
      const population = Array.from({ length: size }, (_, i) => i)
      const count = wish % (size + 1)
      const drawn = createPythonRandom(seed).sample(population, count)
      expect(new Set(drawn).size).toBe(count)
      expect(drawn.every((element) => population.includes(element))).toBe(true)
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poissonArrivals } from '../../src/arrival/index.js'

const seeds = fc.integer()
const rates = fc.double({ min: 0.01, max: 1000, noNaN: true })

test('the same seed gives the same arrivals, and another seed gives others', () => {
  fc.assert(
    fc.property(seeds, rates, (seed, ratePerS) => {
      const draw = (from: number) => poissonArrivals({ ratePerS, seed: from, requests: 20 })
      expect(draw(seed)).toEqual(draw(seed))
      expect(draw(seed)).not.toEqual(draw(seed + 1))
    }),
  )
})

test('arrivals rise and stay within the duration', () => {
  fc.assert(
    fc.property(seeds, rates, (seed, ratePerS) => {
      const durationS = 50 / ratePerS
      const arrivalsS = poissonArrivals({ ratePerS, seed, durationS })
      expect(arrivalsS).toEqual(arrivalsS.toSorted((a, b) => a - b))
      expect(arrivalsS.every((timeS) => timeS >= 0 && timeS < durationS)).toBe(true)
    }),
  )
})

test('a longer load begins with the arrivals of a shorter one', () => {
  const long = poissonArrivals({ ratePerS: 3, seed: 5, requests: 100 })
  expect(poissonArrivals({ ratePerS: 3, seed: 5, requests: 40 })).toEqual(long.slice(0, 40))
  expect(
    poissonArrivals({ ratePerS: 3, seed: 5, requests: 100, durationS: long[10] ?? 0 }),
  ).toEqual(long.slice(0, 10))
})

test('the mean rate is the asked one, and gaps vary as those of a Poisson process', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const requests = 10_000
      const arrivalsS = poissonArrivals({ ratePerS: 4, seed, requests })
      const gapsS = arrivalsS.map((timeS, index) => timeS - (arrivalsS[index - 1] ?? 0))
      const meanS = (arrivalsS.at(-1) ?? 0) / requests
      const variance = gapsS.reduce((sum, gapS) => sum + (gapS - meanS) ** 2, 0) / requests
      // Standard errors: 1 % of the mean, about 1.4 % of the deviation. Five of them are allowed.
      expect(Math.abs(meanS * 4 - 1)).toBeLessThan(0.05)
      expect(Math.abs(Math.sqrt(variance) / meanS - 1)).toBeLessThan(0.07)
    }),
    { numRuns: 50, seed: 1 },
  )
})

import { unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { type TierFacts, tierOf } from '../../src/flags/index.js'
import { assessment, domain, energy, withEnergies } from './assessment.js'

const { reading, domains } = assessment()
const best: TierFacts = { reading, domains, repetitions: 3, flags: [] }
const gone = unavailable('no-data', 'none')

function withReadings(energies: Parameters<typeof withEnergies>[0]): TierFacts {
  return { ...best, reading: withEnergies(energies).reading }
}

test.each([
  ['three readings that agree, three repetitions, no flag', best, 'A'],
  ['two repetitions', { ...best, repetitions: 2 }, 'C'],
  ['a flag', { ...best, flags: [{ name: 'throttled' }] }, 'C'],
  [
    'a counter and an integration that disagree',
    withReadings({ 'integrated-power': energy('integrated-power', 20_000) }),
    'B',
  ],
  ['a wall reading of half the device', withReadings({ wall: energy('wall', 9000) }), 'B'],
  ['counter and integration', withReadings({ wall: gone }), 'B'],
  ['counter and wall', withReadings({ 'integrated-power': gone }), 'B'],
  ['a counter alone', withReadings({ 'integrated-power': gone, wall: gone }), 'C'],
  ['a plug alone', withReadings({ 'integrated-power': gone, counter: gone }), 'C'],
  [
    'an estimate',
    {
      ...best,
      domains: [domain('model')],
      reading: { ...reading, domains: { model: energy('model', 9) } },
    },
    'D',
  ],
  ['nothing', withReadings({ counter: gone, 'integrated-power': gone, wall: gone }), undefined],
] as const)('%s', (...[, facts, tier]) => {
  expect(tierOf(facts as TierFacts)).toBe(tier)
})

import { unavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { type Assessment, assessReading, type TierFacts, tierOf } from '../../src/flags/index.js'
import { combineIdle } from '../../src/idle/combine-idle.js'
import type { IdleBaseline } from '../../src/idle/idle-baseline.js'
import { assessment, device, energy, state, withEnergies } from './assessment.js'

const base = assessment()
const idle = base.idle ?? {
  baseline: { startS: 0, endS: 1, domains: {} },
  driftRatio: {},
  drifted: [],
}

/** The same, with an idle power of the counter. */
function withIdle(powerW: number): Assessment {
  const domains = { ...idle.baseline.domains, counter: { powerW, uncertaintyW: 0.01 } }
  return { ...base, idle: { ...idle, baseline: { ...idle.baseline, domains } } }
}

function lasting(durationS: number, tickS: number): Assessment {
  const domains = {
    counter: energy('counter', 300 * durationS, { tickS }),
    'integrated-power': energy('integrated-power', 300 * durationS),
    wall: energy('wall', 400 * durationS),
  }
  return { ...base, reading: { startS: 0, endS: durationS, durationS, domains } }
}

const counter = (energyJ: number, more = {}): Assessment =>
  withEnergies({ counter: energy('counter', energyJ, more) })
const integrated = (energyJ: number, uncertaintyJ: number): Assessment =>
  withEnergies({ 'integrated-power': energy('integrated-power', energyJ, { uncertaintyJ }) })
const wall = (energyJ: number): Assessment => withEnergies({ wall: energy('wall', energyJ) })
const throttledFor = (seconds: number): Assessment => ({
  ...base,
  states: [
    state({ timeS: 0, throttledS: { power: 1 } }),
    state({ timeS: 60, throttledS: { power: 1 + seconds } }),
  ],
})

/** Name, what is on the quiet side of the limit, what is on the other. The counter says 18 000 J in 60 s. */
const limits: readonly (readonly [string, string, Assessment, Assessment])[] = [
  ['idle-dominated', 'net 20 % of gross', withIdle(240), withIdle(240.01)],
  [
    'readings-disagree',
    '5 %, whatever the uncertainty',
    integrated(18_900, 900),
    integrated(18_901, 900),
  ],
  [
    'readings-disagree',
    'row 4: 2 %, however certain',
    integrated(18_360, 1),
    integrated(18_361, 1),
  ],
  // The slack is twice the combined uncertainty, 14.14 J.
  ['wall-below-device', '98 % less two uncertainties', wall(17_626), wall(17_625)],
  [
    'suspended',
    'a sleep of 1 s',
    { ...base, clocks: { suspendedS: 1, steppedS: 0 } },
    { ...base, clocks: { suspendedS: 1.01, steppedS: 0 } },
  ],
  [
    'clock-step',
    'a step of 1 s ahead',
    { ...base, clocks: { suspendedS: 0, steppedS: 1 } },
    { ...base, clocks: { suspendedS: 0, steppedS: 1.01 } },
  ],
  [
    'clock-step',
    'a step of 1 s back',
    { ...base, clocks: { suspendedS: 0, steppedS: -1 } },
    { ...base, clocks: { suspendedS: 0, steppedS: -1.01 } },
  ],
  [
    'sampling-gap',
    '97 % seen',
    counter(18_000, { coverageRatio: 0.97 }),
    counter(18_000, { coverageRatio: 0.969 }),
  ],
  ['throttled', 'a thousandth of the time', throttledFor(0.0599), throttledFor(0.0601)],
  [
    'power-limit-not-default',
    '1 W beside the default',
    { ...base, devices: [{ ...device, powerLimitW: 699 }] },
    { ...base, devices: [{ ...device, powerLimitW: 698.9 }] },
  ],
  ['short-window', '20 s', lasting(20, 0.1), lasting(19.9, 0.1)],
  ['short-window', '200 ticks', lasting(60, 0.3), lasting(60, 0.3001)],
]

describe.each(limits)('%s at %s', (...[name, , quiet, loud]) => {
  test('is not raised on the one side', () => {
    expect(assessReading(quiet).map((flag) => flag.name)).toEqual([])
  })

  test('is raised, alone, on the other', () => {
    expect(assessReading(loud).map((flag) => flag.name)).toEqual([name])
  })
})

function baseline(powerW: number, uncertaintyW = 0.01): IdleBaseline {
  return { startS: 0, endS: 10, domains: { a: { powerW, uncertaintyW } } }
}

test.each([
  ['3 W of 100 W', 100, 103, []],
  ['just over 3 W of 100 W', 100, 103.01, ['a']],
  // Of the mean: 2 x 0.5 / 20.5 is below 5 %, 2 x 0.52 / 20.52 above.
  ['less than 5 % of 10 W', 10, 10.5, []],
  ['just over 5 % of 10 W', 10, 10.52, ['a']],
  ['5 % the other way', 10.52, 10, ['a']],
] as const)('idle drift: %s', (...[, before, after, drifted]) => {
  expect(combineIdle(baseline(before), baseline(after)).drifted).toEqual(drifted)
})

test('idle drift: a difference within two combined uncertainties is chance', () => {
  expect(combineIdle(baseline(100, 3), baseline(108, 3)).drifted).toEqual([])
  expect(combineIdle(baseline(100, 2.8), baseline(108, 2.8)).drifted).toEqual(['a'])
})

test('row 3: of two readings 43 % apart both are told, none is averaged, and no tier above C is given', () => {
  const apart = withEnergies({
    counter: energy('counter', 187),
    'integrated-power': energy('integrated-power', 327),
  })
  expect(assessReading(apart)).toContainEqual({
    name: 'readings-disagree',
    severity: 'warning',
    cause: 'Integrated power differs from the counter by 74.9 %.',
    fix: 'Run longer; if it stays, one of the two readings of this device is wrong.',
  })
  const { reading, domains } = apart
  const gone = { ...reading, domains: { ...reading.domains, wall: unavailable('no-data', 'none') } }
  expect(tierOf({ reading: gone, domains, repetitions: 3, flags: [] })).toBe('C')
})

const best: TierFacts = { reading: base.reading, domains: base.domains, repetitions: 3, flags: [] }
const gone = unavailable('no-data', 'none')

function tierWith(energies: Parameters<typeof withEnergies>[0], more: Partial<TierFacts> = {}) {
  return tierOf({ ...best, reading: withEnergies(energies).reading, ...more })
}

describe('tiers', () => {
  test('A needs three repetitions and no flag; so does B', () => {
    expect(tierOf(best)).toBe('A')
    expect(tierOf({ ...best, repetitions: 2 })).toBe('C')
    expect(tierOf({ ...best, flags: [{ name: 'throttled' }] })).toBe('C')
    expect(tierWith({ wall: gone })).toBe('B')
    expect(tierWith({ wall: gone }, { repetitions: 2 })).toBe('C')
  })

  test('A needs a counter and an integration within 5 %', () => {
    expect(
      tierWith({ 'integrated-power': energy('integrated-power', 18_900, { uncertaintyJ: 900 }) }),
    ).toBe('A')
    expect(
      tierWith({ 'integrated-power': energy('integrated-power', 18_901, { uncertaintyJ: 900 }) }),
    ).toBe('B')
  })

  test('A needs a plug that reads 0.95 to 2 times the device', () => {
    const withWall = (energyJ: number) => tierWith({ wall: energy('wall', energyJ) })
    expect([17_099, 17_100, 36_000, 36_001].map(withWall)).toEqual(['B', 'A', 'A', 'B'])
    expect(withWall(-18_000)).toBe('B')
  })

  test('A needs a plug with a new value each second, give or take the way to it', () => {
    const withTick = (tickS: number) => tierWith({ wall: energy('wall', 24_000, { tickS }) })
    expect([0.2, 1, 1.1, 1.5, 1.51, 2, 60].map(withTick)).toEqual([
      'A',
      'A',
      'A',
      'A',
      'B',
      'B',
      'B',
    ])
  })

  test('B is two of the three that agree; one reading, or two that do not agree, are C', () => {
    expect(tierWith({ 'integrated-power': gone })).toBe('B')
    expect(tierWith({ counter: gone })).toBe('B')
    expect(tierWith({ 'integrated-power': gone, wall: energy('wall', 9000) })).toBe('C')
    expect(tierWith({ wall: gone, 'integrated-power': energy('integrated-power', 19_080) })).toBe(
      'C',
    )
    expect(tierWith({ wall: gone, 'integrated-power': gone })).toBe('C')
    expect(tierWith({ counter: gone, 'integrated-power': gone })).toBe('C')
  })
})

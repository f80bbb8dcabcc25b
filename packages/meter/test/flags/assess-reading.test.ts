import { unavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { type Assessment, assessReading, meterFlagNames } from '../../src/flags/index.js'
import { assessment, device, domain, energy, state, withEnergies } from './assessment.js'

const base = assessment()
const idle = base.idle ?? {
  drifted: [],
  driftRatio: {},
  baseline: { startS: 0, endS: 0, domains: {} },
}

/** One thing that is wrong each, and the only flag that it raises. */
const faults: readonly (readonly [string, string, Assessment])[] = [
  [
    'wall-below-device',
    'a plug that counts less than the GPU behind it (rows 31, 50)',
    withEnergies({ wall: energy('wall', 17_000) }),
  ],
  [
    'frozen-counter',
    'a counter that is said to stand',
    withEnergies({ counter: unavailable('stalled', 'stands') }),
  ],
  [
    'frozen-counter',
    'a counter that gained nothing while the power was 300 W (row 45)',
    withEnergies({ counter: energy('counter', 0, { changes: 0 }) }),
  ],
  [
    'readings-disagree',
    'two readings 6 % apart (row 3)',
    withEnergies({ 'integrated-power': energy('integrated-power', 19_080) }),
  ],
  [
    'readings-disagree',
    'two readings 3 % apart, far beyond their uncertainty',
    withEnergies({ 'integrated-power': energy('integrated-power', 18_540) }),
  ],
  [
    'suspended',
    'a machine that slept (row 24)',
    { ...base, clocks: { suspendedS: 31, steppedS: 0 } },
  ],
  ['suspended', 'a wall clock that ran ahead, with no other clock', withoutClocks(5)],
  [
    'clock-step',
    'a wall clock that was set',
    { ...base, clocks: { suspendedS: 0, steppedS: -3600 } },
  ],
  ['clock-step', 'a wall clock that went back', withoutClocks(-5)],
  [
    'counter-reset',
    'a counter that began anew',
    withEnergies({ counter: unavailable('counter-reset', 'back') }),
  ],
  [
    'device-lost',
    'a device that went away',
    withEnergies({ counter: unavailable('device-lost', 'gone') }),
  ],
  [
    'sampling-gap',
    'a tenth of the window unseen (row 23)',
    withEnergies({ counter: energy('counter', 18_000, { coverageRatio: 0.9 }) }),
  ],
  [
    'throttled',
    'states that name a reason',
    { ...base, states: [state(), state({ throttleReasons: ['sw-thermal-slowdown'] })] },
  ],
  [
    'throttled',
    'a throttle counter that ran, though no state was taken just then',
    {
      ...base,
      states: [state({ throttledS: { power: 1 } }), state({ timeS: 7, throttledS: { power: 7 } })],
    },
  ],
  [
    'other-process',
    'a second process on the GPU',
    { ...base, states: [state({ processIds: [42, 43] })] },
  ],
  [
    'on-battery',
    'a laptop without its cable',
    { ...base, battery: { onBattery: true, isMoving: true, detail: 'BAT0 discharging' } },
  ],
  [
    'power-limit-not-default',
    'a limit of 400 W',
    { ...base, devices: [{ ...device, powerLimitW: 400 }] },
  ],
  [
    'power-limit-not-default',
    'a limit that was set after the meter was opened',
    { ...base, states: [state(), state({ powerLimitW: 400 })] },
  ],
  ['idle-drift', 'idle power that drifted', { ...base, idle: { ...idle, drifted: ['counter'] } }],
  [
    'idle-dominated',
    'an idle power of 270 W',
    {
      ...base,
      idle: {
        ...idle,
        baseline: {
          ...idle.baseline,
          domains: { ...idle.baseline.domains, counter: { powerW: 270, uncertaintyW: 1 } },
        },
      },
    },
  ],
  [
    'short-window',
    'a window of a slow counter',
    withEnergies({ counter: energy('counter', 18_000, { tickS: 2.2 }) }),
  ],
  [
    'estimate-only',
    'nothing but an estimate',
    {
      ...base,
      domains: [domain('model')],
      reading: { ...base.reading, domains: { model: energy('model', 900) } },
    },
  ],
]

function withoutClocks(wallClockDriftS: number): Assessment {
  const { clocks: _, ...rest } = assessment()
  return { ...rest, wallClockDriftS }
}

test('a good reading raises no flag', () => {
  expect(assessReading(base)).toEqual([])
})

describe.each(faults)('%s', (name, what, one) => {
  test(`is raised by ${what}, and nothing else is`, () => {
    const flags = assessReading(one)
    expect(flags.map((flag) => flag.name)).toEqual([name])
    expect(flags[0]?.cause).toMatch(/\.$/)
    expect(flags[0]?.fix).toMatch(/\.$/)
  })
})

test('every flag has a fault that raises it', () => {
  expect(new Set(faults.map(([name]) => name))).toEqual(new Set(meterFlagNames))
})

test('a counter that stood still although the GPU drew nothing is no fault', () => {
  const flags = assessReading(
    withEnergies({
      counter: energy('counter', 0, { changes: 0 }),
      'integrated-power': energy('integrated-power', 0.2),
    }),
  )
  expect(flags.map((flag) => flag.name)).not.toContain('frozen-counter')
})

test('clocks that somebody set are not throttling, nor is one process of a container', () => {
  const states = [state({ throttleReasons: ['applications-clocks-setting'], processIds: [7] })]
  expect(assessReading({ ...base, states })).toEqual([])
})

test('a net energy below 0 is idle-dominated, and stays negative in the words', () => {
  const baseline = {
    ...idle.baseline,
    domains: { ...idle.baseline.domains, counter: { powerW: 301, uncertaintyW: 1 } },
  }
  expect(assessReading({ ...base, idle: { ...idle, baseline } })[0]?.cause).toContain('-0.3 %')
})

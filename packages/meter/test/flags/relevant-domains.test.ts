import { type DeviceInfo, type EnergyDomain, unavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { type Assessment, assessReading } from '../../src/flags/index.js'
import { assessment, device, energy, state, withEnergies } from './assessment.js'

const base = assessment()
const package0: EnergyDomain = {
  id: 'rapl:package-0',
  kind: 'cpu',
  method: 'counter',
  label: 'RAPL package-0',
  deviceId: 'cpu',
  scope: 'context',
}
const cpu: DeviceInfo = {
  ...device,
  id: 'cpu',
  kind: 'cpu',
  powerLimitW: 125,
  powerLimitDefaultW: 65,
}
const names = (one: Assessment) => assessReading(one).map((flag) => flag.name)

/** Work on a GPU, and a processor beside it that is recorded and not counted. */
function beside(
  more: Assessment['reading']['domains'],
  other: Partial<Assessment> = {},
): Assessment {
  const withMore = withEnergies(more)
  return { ...withMore, domains: [...base.domains, package0], devices: [device, cpu], ...other }
}

describe('what befalls a domain that is not counted says nothing about the figure', () => {
  test.each(['stalled', 'counter-reset', 'device-lost'] as const)('%s', (reason) => {
    expect(names(beside({ 'rapl:package-0': unavailable(reason, 'so') }))).toEqual([])
  })

  test('gaps, another limit, drift of its idle power, processes, throttling', () => {
    const gap = energy('counter', 900, { coverageRatio: 0.4 })
    const states = [
      ...base.states,
      state({ deviceId: 'cpu', processIds: [42, 1, 2], throttleReasons: ['hw-slowdown'] }),
    ]
    const idle =
      base.idle === undefined ? {} : { idle: { ...base.idle, drifted: ['rapl:package-0'] } }
    expect(names(beside({ 'rapl:package-0': gap }, { states, ...idle }))).toEqual([])
  })
})

test('a power limit that is changed while the meter is open is seen in the states', () => {
  const states = [state({ powerLimitW: 700 }), state({ powerLimitW: 400 })]
  expect(assessReading({ ...base, states })).toEqual([
    {
      name: 'power-limit-not-default',
      severity: 'note',
      cause: 'The power limit is not the one of the factory: gpu 400 W, not 700 W.',
      fix: 'Set it back, or quote the limit with the figure.',
    },
  ])
})

describe('how bad it is', () => {
  const severity = (one: Assessment) => assessReading(one)[0]?.severity

  test.each(['device-lost', 'counter-reset'] as const)(
    'a plug with %s leaves the reading of the device, a GPU does not',
    (reason) => {
      expect(severity(withEnergies({ wall: unavailable(reason, 'gone') }))).toBe('warning')
      expect(severity(withEnergies({ counter: unavailable(reason, 'gone') }))).toBe('invalid')
    },
  )

  test('row 45: where the counter stands, the integrated power is the figure', () => {
    expect(severity(withEnergies({ counter: unavailable('stalled', 'stands') }))).toBe('warning')
    expect(severity(withEnergies({ counter: energy('counter', 0) }))).toBe('invalid')
    const power = unavailable('no-data', 'none')
    const alone = { counter: unavailable('stalled', 'stands'), 'integrated-power': power }
    expect(severity(withEnergies(alone))).toBe('invalid')
  })
})

test('a counter that is said to stand while its device draws nothing is no fault', () => {
  const resting = {
    counter: unavailable('stalled', 'stands'),
    'integrated-power': energy('integrated-power', 0.2),
  }
  expect(names(withEnergies(resting))).not.toContain('frozen-counter')
})

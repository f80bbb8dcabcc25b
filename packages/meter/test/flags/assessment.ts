import {
  type DeviceInfo,
  type DeviceState,
  type EnergyDomain,
  type EnergyMethod,
  type MeasuredEnergy,
  unavailable,
} from '@energy-bench/spec'
import type { Assessment } from '../../src/flags/index.js'

const none = unavailable('not-supported', 'none')

/** One reading of the test device. */
export function energy(
  method: EnergyMethod,
  energyJ: number,
  more: Partial<MeasuredEnergy> = {},
): MeasuredEnergy {
  return {
    status: 'measured',
    energyJ,
    uncertaintyJ: 5,
    method,
    detail: '',
    tickS: 0.1,
    changes: 600,
    coverageRatio: 1,
    ...more,
  }
}

export function domain(method: EnergyMethod): EnergyDomain {
  const isWall = method === 'wall'
  return {
    id: method,
    kind: isWall ? 'system' : 'gpu',
    method,
    label: method,
    deviceId: isWall ? 'plug' : 'gpu',
    ...(isWall ? { scope: 'context' } : {}),
  }
}

export const device: DeviceInfo = {
  id: 'gpu',
  kind: 'gpu',
  name: 'Test',
  driver: '1',
  memoryBytes: none,
  powerLimitW: 700,
  powerLimitDefaultW: 700,
}

export function state(more: Partial<DeviceState> = {}): DeviceState {
  return {
    deviceId: 'gpu',
    timeS: 1,
    powerW: none,
    temperatureC: none,
    clockHz: none,
    memoryClockHz: none,
    powerLimitW: none,
    throttleReasons: [],
    processIds: [42],
    ...more,
  }
}

/** A minute at 300 W, read in three ways that agree, with nothing to say against it. */
export function assessment(more: Partial<Assessment> = {}): Assessment {
  return {
    reading: {
      startS: 0,
      endS: 60,
      durationS: 60,
      domains: {
        counter: energy('counter', 18_000),
        'integrated-power': energy('integrated-power', 18_050),
        wall: energy('wall', 24_000),
      },
    },
    domains: [domain('counter'), domain('integrated-power'), domain('wall')],
    devices: [device],
    states: [state(), state()],
    idle: {
      baseline: {
        startS: 0,
        endS: 60,
        domains: {
          counter: { powerW: 100, uncertaintyW: 0.3 },
          'integrated-power': { powerW: 100, uncertaintyW: 0.3 },
          wall: { powerW: 150, uncertaintyW: 1 },
        },
      },
      driftRatio: { counter: 0.01 },
      drifted: [],
    },
    clocks: { suspendedS: 0, steppedS: 0 },
    ownProcessIds: [42],
    ...more,
  }
}

/** The same with other energies. */
export function withEnergies(domains: Assessment['reading']['domains']): Assessment {
  const base = assessment()
  return { ...base, reading: { ...base.reading, domains: { ...base.reading.domains, ...domains } } }
}

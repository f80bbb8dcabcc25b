import type { DeviceState, EnergyMethod, Meter } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'

/**
 * Adds domains that read a multiple of what the counter of a fake meter reads, with a point of each every `spacingS`
 * seconds.
 */
export function withReadings(factors: Partial<Record<EnergyMethod, number>>, spacingS = 1) {
  return (meter: Meter): Meter => {
    const extra = Object.entries(factors).map(([method, factor]) => ({
      id: `fake:${method}`,
      method: method as EnergyMethod,
      factor,
    }))
    return {
      ...meter,
      domains: [
        ...meter.domains,
        ...extra.map(({ id, method }) => ({
          id,
          method,
          kind: 'gpu' as const,
          label: id,
          deviceId: 'fake',
        })),
      ],
      pointsBetween(startS, endS) {
        const count = Math.floor((endS - startS) / spacingS) + 1
        const timesS = Array.from({ length: count }, (_, index) => startS + index * spacingS)
        const points = timesS.map((timeS) => ({ timeS, powerW: 300 }))
        return Object.fromEntries(extra.map(({ id }) => [id, points]))
      },
      async energyBetween(startS, endS) {
        const reading = await meter.energyBetween(startS, endS)
        const counter = reading.domains['fake:counter']
        if (counter === undefined || isUnavailable(counter)) throw new Error('no counter')
        const domains = extra.map(({ id, method, factor }) => [
          id,
          { ...counter, method, energyJ: counter.energyJ * factor },
        ])
        return { ...reading, domains: { ...reading.domains, ...Object.fromEntries(domains) } }
      },
    }
  }
}

/** Gives a meter device states, one every half second. */
export function withStates(change: (index: number) => Partial<DeviceState>) {
  const missing = unavailable('not-supported', 'a fake has none')
  const state: DeviceState = {
    deviceId: 'fake',
    timeS: 0,
    powerW: 300,
    temperatureC: 50,
    clockHz: 1e9,
    memoryClockHz: missing,
    powerLimitW: 400,
    throttleReasons: [],
    processIds: [4242],
  }
  return (meter: Meter): Meter => ({
    ...meter,
    statesBetween: (startS, endS) =>
      Array.from({ length: Math.floor((endS - startS) / 0.5) + 1 }, (_, index) => ({
        ...state,
        timeS: startS + index * 0.5,
        ...change(index),
      })),
  })
}

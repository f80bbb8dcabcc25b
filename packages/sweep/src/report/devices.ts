import { throttledBetween } from '@energy-bench/meter'
import type { DeviceState, Meter } from '@energy-bench/spec'
import { isUnavailable, unavailable } from '@energy-bench/spec'
import { mean } from '@energy-bench/stats'
import type { Run } from '../run/create-run.js'
import { groupBy } from './facts.js'
import type { DeviceSummary } from './types.js'

/** What each device said of itself while the items of this session ran. */
export function summarizeDevices({ plan, gathered }: Run): readonly DeviceSummary[] {
  return statesOf(plan.meter, gathered.window).map(([deviceId, states]) => {
    const throttle = throttleOf(states)
    return {
      deviceId,
      temperatureC: temperatureOf(known(states, 'temperatureC')),
      memoryTemperatureC: temperatureOf(known(states, 'memoryTemperatureC')),
      clockHz: rangeOf(known(states, 'clockHz')),
      memoryClockHz: rangeOf(known(states, 'memoryClockHz')),
      powerLimitW: rangeOf(known(states, 'powerLimitW')),
      ...throttle,
      throttledS: countedOf(states),
      processIds: processesOf(states),
    }
  })
}

function statesOf(meter: Meter, window: Run['gathered']['window']) {
  const states = window === null ? [] : meter.statesBetween(window.startS, window.endS)
  return [...groupBy(states, (state) => state.deviceId)]
}

type NumberName =
  | 'temperatureC'
  | 'memoryTemperatureC'
  | 'clockHz'
  | 'memoryClockHz'
  | 'powerLimitW'

function known(states: readonly DeviceState[], name: NumberName): readonly number[] {
  return states.flatMap((state) => {
    const value = state[name]
    return value === undefined || isUnavailable(value) ? [] : [value]
  })
}

function rangeOf(values: readonly number[]): DeviceSummary['clockHz'] {
  if (values.length === 0) return null
  return { min: Math.min(...values), mean: mean(values), max: Math.max(...values) }
}

function temperatureOf(values: readonly number[]): DeviceSummary['temperatureC'] {
  const [start] = values
  const end = values.at(-1)
  if (start === undefined || end === undefined) return null
  return { start, end, max: Math.max(...values) }
}

/** What the throttle counters gained from the first state to the last. */
function countedOf([first, ...others]: readonly DeviceState[]): NonNullable<
  DeviceSummary['throttledS']
> {
  const last = others.at(-1)
  if (first !== undefined && last !== undefined) return throttledBetween(first, last)
  return unavailable('no-data', 'the device was looked at once')
}

/** Each state stands for the time up to the next one. */
function throttleOf(
  states: readonly DeviceState[],
): Pick<DeviceSummary, 'throttledRatio' | 'throttleReasons'> {
  const reasons = new Set<string>()
  let throttledS = 0
  let observedS = 0
  for (const [index, state] of states.entries()) {
    if (isUnavailable(state.throttleReasons)) continue
    const names = state.throttleReasons
    const spanS = (states[index + 1]?.timeS ?? state.timeS) - state.timeS
    observedS += spanS
    if (names.length > 0) throttledS += spanS
    for (const name of names) reasons.add(name)
  }
  return {
    throttledRatio: observedS > 0 ? throttledS / observedS : null,
    throttleReasons: [...reasons].toSorted(),
  }
}

function processesOf(states: readonly DeviceState[]): readonly number[] | null {
  const lists = states.flatMap((state) =>
    isUnavailable(state.processIds) ? [] : [state.processIds],
  )
  if (lists.length === 0) return null
  return [...new Set(lists.flat())].toSorted((a, b) => a - b)
}

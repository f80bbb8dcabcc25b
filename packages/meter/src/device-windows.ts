import {
  type DeviceState,
  isUnavailable,
  type Meter,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'

/** How a device stood at the two ends of a window. */
export interface DeviceWindow {
  readonly deviceId: string
  /** The last state that was seen before the window; where there is none, the first one in it. */
  readonly start: DeviceState
  /** The last state that was seen before the window ended. */
  readonly end: DeviceState
  /** For how long each cause held the clocks down between these two states, seconds. */
  readonly throttledS: Readonly<Record<string, number>> | Unavailable
}

/** Devices are looked at about once a second: the state that held at the start is no older than this, seconds. */
const LOOK_BACK_S = 2

/** What each device said of itself at the start and the end of a window; none for a meter whose devices say nothing. */
export function deviceWindows(
  meter: Pick<Meter, 'statesBetween'>,
  { startS, endS }: { readonly startS: number; readonly endS: number },
): readonly DeviceWindow[] {
  const states = meter.statesBetween(startS - LOOK_BACK_S, endS)
  const ids = new Set(states.map((state) => state.deviceId))
  return [...ids].flatMap((deviceId) => {
    const own = states.filter((state) => state.deviceId === deviceId)
    const start = own.findLast((state) => state.timeS <= startS) ?? own[0]
    const end = own.at(-1)
    if (start === undefined || end === undefined) return []
    return [{ deviceId, start, end, throttledS: throttledBetween(start, end) }]
  })
}

/** What the counters of the driver gained from one state to a later one, seconds by cause. */
export function throttledBetween(
  start: DeviceState,
  end: DeviceState,
): Readonly<Record<string, number>> | Unavailable {
  const [first, last] = [countersOf(start), countersOf(end)]
  if (isUnavailable(first)) return first
  if (isUnavailable(last)) return last
  if (end.timeS <= start.timeS)
    return unavailable('no-data', 'the device was looked at once in this window', 'Measure longer.')
  const gains = Object.entries(last).map(([cause, s]) => [cause, s - (first[cause] ?? s)] as const)
  const fallen = gains.find(([, gainS]) => gainS < 0)
  return fallen === undefined
    ? Object.fromEntries(gains)
    : unavailable('counter-reset', `the counter of ${fallen[0]} went back by ${-fallen[1]} s`)
}

function countersOf({ throttledS }: DeviceState): Readonly<Record<string, number>> | Unavailable {
  return throttledS ?? unavailable('not-supported', 'the driver does not count it')
}

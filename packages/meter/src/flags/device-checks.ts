import { type DeviceState, isUnavailable } from '@energy-bench/spec'
import { throttledBetween } from '../device-windows.js'
import type { Assessment, FlagCheck } from './assessment.js'
import { percent } from './flag.js'
import { relevantDeviceIds } from './readings.js'

/** Clocks held down for less of the window than this do not show in its energy. */
const MIN_THROTTLED = 0.001
/** Limits are told in whole watts by some drivers. */
const LIMIT_TOLERANCE_W = 1
/** These say what somebody set, and not that the device could not keep up. */
const SETTINGS = ['applications-clocks-setting', 'display-clock-setting']

const throttled: FlagCheck = (assessment) => {
  const held = relevantDeviceIds(assessment.domains).flatMap(
    (id) => throttledShare(assessment, id) ?? [],
  )
  if (held.length === 0) return undefined
  return {
    name: 'throttled',
    severity: 'warning',
    cause: `Clocks were held down: ${held.join('; ')}.`,
    fix: 'Improve cooling, raise the power limit, or say so with the figure.',
  }
}

/** From the counters of the driver where it has them, else from the share of the states that name a reason. */
function throttledShare({ states, reading }: Assessment, id: string): string | undefined {
  const own = states.filter((state) => state.deviceId === id)
  const counted = countedShares(own, reading.durationS) ?? seenShares(own)
  const told = Object.entries(counted)
    .filter(([name, share]) => share > MIN_THROTTLED && !SETTINGS.includes(name))
    .map(([name, share]) => `${name} ${percent(share)}`)
  return told.length === 0 ? undefined : `${id} (${told.join(', ')} of the time)`
}

function countedShares(
  states: readonly DeviceState[],
  durationS: number,
): Readonly<Record<string, number>> | undefined {
  const [first, last] = [states[0], states.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const gainS = throttledBetween(first, last)
  if (isUnavailable(gainS)) return undefined
  return Object.fromEntries(Object.entries(gainS).map(([name, s]) => [name, s / durationS]))
}

function seenShares(states: readonly DeviceState[]): Readonly<Record<string, number>> {
  const reasons = states.flatMap(({ throttleReasons }) =>
    isUnavailable(throttleReasons) ? [] : [throttleReasons],
  )
  const names = new Set(reasons.flat())
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      reasons.filter((list) => list.includes(name)).length / reasons.length,
    ]),
  )
}

const otherProcess: FlagCheck = ({ states, domains, ownProcessIds }) => {
  if (ownProcessIds === undefined) return undefined
  const ids = relevantDeviceIds(domains)
  const own = states.filter(({ deviceId }) => ids.includes(deviceId))
  const strangers = new Set(own.flatMap((state) => strangersIn(state, ownProcessIds)))
  if (strangers.size === 0) return undefined
  return {
    name: 'other-process',
    severity: 'warning',
    cause: `Other processes used the device: ${[...strangers].join(', ')}.`,
    fix: 'Stop them and measure again.',
  }
}

/** In a container the driver gives the ids of the host: a single one that is not ours may still be the engine. */
function strangersIn({ processIds }: DeviceState, own: readonly number[]): readonly number[] {
  if (isUnavailable(processIds)) return []
  const others = processIds.filter((id) => !own.includes(id))
  return others.length < processIds.length || others.length > 1 ? others : []
}

const powerLimit: FlagCheck = ({ domains, devices, states }) => {
  const ids = relevantDeviceIds(domains)
  const changed = devices.flatMap(({ id, powerLimitW: atOpenW, powerLimitDefaultW }) => {
    const limitW = lowestLimitW(states, id) ?? atOpenW
    if (!ids.includes(id) || isUnavailable(limitW) || isUnavailable(powerLimitDefaultW)) return []
    const isDefault = Math.abs(limitW - powerLimitDefaultW) <= LIMIT_TOLERANCE_W
    return isDefault ? [] : [`${id} ${limitW} W, not ${powerLimitDefaultW} W`]
  })
  if (changed.length === 0) return undefined
  return {
    name: 'power-limit-not-default',
    severity: 'note',
    cause: `The power limit is not the one of the factory: ${changed.join('; ')}.`,
    fix: 'Set it back, or quote the limit with the figure.',
  }
}

/** A limit may have been set after the meter was opened. */
function lowestLimitW(states: readonly DeviceState[], id: string): number | undefined {
  const limitsW = states.flatMap(({ deviceId, powerLimitW }) =>
    deviceId !== id || isUnavailable(powerLimitW) ? [] : [powerLimitW],
  )
  return limitsW.length === 0 ? undefined : Math.min(...limitsW)
}

const onBattery: FlagCheck = ({ battery }) => {
  if (battery === undefined || !(battery.onBattery || battery.isMoving)) return undefined
  return {
    name: 'on-battery',
    severity: 'warning',
    cause: `A battery takes part in the supply: ${battery.detail}.`,
    fix: 'Plug the machine in and let the battery fill up first.',
  }
}

/** Checks of the devices and the machine. */
export const deviceChecks = [throttled, otherProcess, powerLimit, onBattery]

import { createFakeMeter } from '@energy-bench/meter/fake'
import type { DeviceState } from '@energy-bench/spec'
import { unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { deviceWindows } from '../src/device-windows.js'
import { state } from './flags/assessment.js'

/** A meter that has seen these states. */
function meterOf(states: readonly DeviceState[]) {
  const statesBetween = (startS: number, endS: number) =>
    states.filter(({ timeS }) => timeS >= startS && timeS <= endS)
  return { ...createFakeMeter(), statesBetween }
}

const second = (timeS: number, more: Partial<DeviceState> = {}) =>
  state({ timeS, temperatureC: 40 + timeS, throttledS: { 'sw-power-cap': timeS / 4 }, ...more })
const states = Array.from({ length: 10 }, (_, index) => second(index + 0.5))

test('the states that held at the start and the end, and what the throttle counters gained', () => {
  expect(deviceWindows(meterOf(states), { startS: 3, endS: 7 })).toEqual([
    {
      deviceId: 'gpu',
      start: second(2.5),
      end: second(6.5),
      throttledS: { 'sw-power-cap': 1 },
    },
  ])
})

test('a window between two looks has one state, and no throttle time is made up for it', () => {
  expect(deviceWindows(meterOf(states), { startS: 3, endS: 3.25 })).toMatchObject([
    { start: second(2.5), end: second(2.5), throttledS: { reason: 'no-data' } },
  ])
})

test('each device has its own window', () => {
  const two = states.flatMap((each) => [each, { ...each, deviceId: 'other' }])
  expect(
    deviceWindows(meterOf(two), { startS: 3, endS: 7 }).map(({ deviceId }) => deviceId),
  ).toEqual(['gpu', 'other'])
})

test('a throttle counter that went back is a reset, and no negative time', () => {
  const reset = [second(1), second(3, { throttledS: { 'sw-power-cap': 0 } })]
  expect(deviceWindows(meterOf(reset), { startS: 1, endS: 4 })).toMatchObject([
    { throttledS: { reason: 'counter-reset' } },
  ])
})

test('a driver that does not count says so', () => {
  const why = unavailable('not-supported', 'too old')
  const old = [second(1, { throttledS: why }), second(3, { throttledS: why })]
  expect(deviceWindows(meterOf(old), { startS: 1, endS: 4 })).toMatchObject([{ throttledS: why }])
})

test('a meter whose devices say nothing has no device windows', () => {
  expect(deviceWindows(createFakeMeter(), { startS: 0, endS: 1 })).toEqual([])
})

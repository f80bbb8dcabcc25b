import { expect, test } from 'vitest'
import { sampleOnce } from './sampling.js'
import { only, type PlugHandler, startPlug } from './server.js'

test('a sensor is read by its name, with the unit of its state', async () => {
  const state = { id: 'sensor-power_consumed', state: '0.123 kW', value: 0.123 }
  await using plug = await startPlug(only('/sensor/Power%20Consumed', state))
  const sample = await sampleOnce({
    kind: 'esphome',
    host: plug.host,
    powerSensor: 'Power Consumed',
  })
  expect(sample).toEqual({ powerW: 123, energyJ: undefined })
  expect(plug.refused).toEqual([])
})

test('power and energy come from two sensors', async () => {
  const handler: PlugHandler = ({ path }) => {
    if (path === '/sensor/power') return { body: '{"id":"a","state":"12.3 W","value":12.3}' }
    if (path === '/sensor/energy') return { body: '{"id":"b","state":"2 kWh","value":2}' }
    return
  }
  await using plug = await startPlug(handler)
  const sensors = { powerSensor: 'power', energySensor: 'energy' }
  const sample = await sampleOnce({ kind: 'esphome', host: plug.host, ...sensors })
  expect(sample).toEqual({ powerW: 12.3, energyJ: 7_200_000 })
})

test('a sensor without a value yet is no data', async () => {
  await using plug = await startPlug(only('/sensor/power', { state: 'NA', value: null }))
  const { powerW } = await sampleOnce({ kind: 'esphome', host: plug.host, powerSensor: 'power' })
  expect(powerW).toMatchObject({ reason: 'no-data', detail: expect.stringContaining("'NA'") })
})

test('a value that is not a number is implausible', async () => {
  await using plug = await startPlug(only('/sensor/power', { state: 'nan W', value: 'nan' }))
  const { powerW } = await sampleOnce({ kind: 'esphome', host: plug.host, powerSensor: 'power' })
  expect(powerW).toMatchObject({ reason: 'implausible', detail: expect.stringContaining('NaN W') })
})

test('a sensor of another unit, and one that is not there, are refused', async () => {
  await using plug = await startPlug(only('/sensor/volt', { state: '230 V', value: 230 }))
  const volt = await sampleOnce({ kind: 'esphome', host: plug.host, powerSensor: 'volt' })
  expect(volt.powerW).toMatchObject({
    detail: "the unit at 'state' is 'V', not one of mW, W, kW, MW, GW, TW",
  })
  const absent = await sampleOnce({ kind: 'esphome', host: plug.host, powerSensor: 'x' })
  expect(absent.powerW).toMatchObject({
    reason: 'driver-mismatch',
    fix: expect.stringContaining('ESPHome 2026.7'),
  })
})

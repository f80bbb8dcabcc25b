import { expect, test } from 'vitest'
import { createWallSource, type WallConfig } from '../../src/wall/index.js'
import { fakeClock, sampleOf, sampleOnce } from './sampling.js'
import { only, type PlugHandler, startPlug } from './server.js'

const PLACE = { power: { pointer: '/p', unit: 'W' } } as const

async function powerOf(body: string) {
  await using plug = await startPlug(() => ({ body }))
  const config: WallConfig = { kind: 'http-json', url: `http://${plug.host}/x`, ...PLACE }
  return (await sampleOnce(config)).powerW
}

test.each([
  ['"42.5"', 42.5],
  ['" 42.5 "', 42.5],
  ['"4.25e1"', 42.5],
  ['4.25e1', 42.5],
])('a decimal number is read from a text: %s', async (text, powerW) => {
  expect(await powerOf(`{"p":${text}}`)).toBe(powerW)
})

test.each([
  '"0x10"',
  '"0b11"',
  '"1,5"',
  '"1.234,5"',
  '"1_000"',
  '"12 W"',
  '""',
  'null',
  'true',
  '[5]',
])('what is no decimal number is no reading, whatever JavaScript makes of it: %s', async (text) => {
  expect(await powerOf(`{"p":${text}}`)).toMatchObject({ reason: 'driver-mismatch' })
})

test.each(['1e999', '"Infinity"', '"inf"', '"nan"', '-1', '20000.1', '1e300'])(
  'row 38: a value that cannot be is implausible: %s',
  async (text) => {
    expect(await powerOf(`{"p":${text}}`)).toMatchObject({ reason: 'implausible' })
  },
)

test('an answer without end is given up, not read into memory', async () => {
  await using plug = await startPlug(() => ({ body: `{"p":1,"x":"${'a'.repeat(3_000_000)}"}` }))
  const config: WallConfig = { kind: 'http-json', url: `http://${plug.host}/x`, ...PLACE }
  expect((await sampleOnce(config)).powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: `${plug.host} answered more than 1000000 bytes`,
  })
})

test('ESPHome: a sensor that does not tell its unit is not guessed to be in watts', async () => {
  await using plug = await startPlug(only('/sensor/power', { state: '0.35', value: 0.35 }))
  const config = { kind: 'esphome', host: plug.host, powerSensor: 'power' } as const
  expect((await sampleOnce(config)).powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: "the state '0.35' has no unit, of mW, W, kW, MW, GW, TW",
  })
})

test('Shelly: energy that was given back is in its counter, and is not counted as drawn', async () => {
  const status = {
    'switch:0': { apower: 100, aenergy: { total: 12.5 }, ret_aenergy: { total: 2.5 } },
  }
  await using plug = await startPlug(only('/rpc/Shelly.GetStatus', status))
  expect(await sampleOnce({ kind: 'shelly', host: plug.host })).toEqual({
    powerW: 100,
    energyJ: 36_000,
  })
})

test('Tasmota: a socket that the plug does not have is not the whole plug', async () => {
  const status = { StatusSNS: { ENERGY: { Power: 80, Total: 1 } } }
  await using plug = await startPlug(only('/cm?cmnd=Status%208', status))
  expect((await sampleOnce({ kind: 'tasmota', host: plug.host, channel: 1 })).powerW).toMatchObject(
    {
      reason: 'driver-mismatch',
      detail: "the answer has one 'ENERGY.Power', and no socket 1",
    },
  )
})

test('one answer that is lost is a lost poll; a second one in a row means that the plug is gone', async () => {
  const clock = fakeClock()
  const replies: PlugHandler = only('/api/v1/data', { active_power_w: 100 })
  await using plug = await startPlug(replies)
  const config = { kind: 'homewizard', host: plug.host, timeoutS: 0.05 } as const
  await using source = createWallSource(config, { now: clock.now })
  const reasons: unknown[] = []
  const poll = async (handler: PlugHandler) => {
    plug.handler = handler
    const { powerW } = await sampleOf(source)
    reasons.push(typeof powerW === 'object' ? powerW.reason : powerW)
    clock.wait(1)
  }
  const silent: PlugHandler = () => new Promise(() => {})
  for (const handler of [replies, silent, replies, silent, silent, replies]) await poll(handler)
  expect(reasons).toEqual([100, 'no-data', 100, 'no-data', 'device-lost', 100])
})

test('a token that is revoked while measuring is a refusal, not a plug that is gone', async () => {
  const clock = fakeClock()
  let isValid = true
  const state = { entity_id: 'sensor.p', state: '55', attributes: { unit_of_measurement: 'W' } }
  await using plug = await startPlug(() =>
    isValid ? { body: JSON.stringify(state) } : { status: 401 },
  )
  const config: WallConfig = {
    kind: 'home-assistant',
    host: plug.host,
    token: 'tok-1',
    powerEntity: 'sensor.p',
  }
  await using source = createWallSource(config, { now: clock.now })
  expect((await sampleOf(source)).powerW).toBe(55)
  isValid = false
  clock.wait(2)
  expect((await sampleOf(source)).powerW).toMatchObject({
    reason: 'permission-denied',
    fix: expect.stringContaining('token'),
  })
})

test('a host name that is no longer known while measuring is a lost plug', async () => {
  const clock = fakeClock()
  let isKnown = true
  const fetch = () => {
    const cause = Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    return isKnown
      ? Promise.resolve(new Response('{"active_power_w":40}'))
      : Promise.reject(new TypeError('fetch failed', { cause }))
  }
  await using source = createWallSource(
    { kind: 'homewizard', host: 'plug' },
    { now: clock.now, fetch },
  )
  expect((await sampleOf(source)).powerW).toBe(40)
  isKnown = false
  await sampleOf(source)
  clock.wait(1)
  expect((await sampleOf(source)).powerW).toMatchObject({
    reason: 'device-lost',
    detail: 'the host name of plug is not known (ENOTFOUND)',
  })
})

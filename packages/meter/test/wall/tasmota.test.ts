import { expect, test } from 'vitest'
import { sampleOnce } from './sampling.js'
import { only, startPlug } from './server.js'

const PATH = '/cm?cmnd=Status%208'
const energy = (more: object) => ({
  StatusSNS: { Time: '2026-01-02T03:04:05', ENERGY: { Power: 42, Total: 1.234, ...more } },
})

test('status 8 gives watts and kilowatt-hours', async () => {
  await using plug = await startPlug(only(PATH, energy({})))
  const sample = await sampleOnce({ kind: 'tasmota', host: plug.host })
  expect(sample).toEqual({ powerW: 42, energyJ: 1.234 * 3_600_000 })
  expect(plug.seen).toEqual([`GET ${PATH}`])
})

test('a plug with several sockets is read by channel', async () => {
  await using plug = await startPlug(only(PATH, energy({ Power: [1, 20], Total: [3, 4] })))
  const sample = await sampleOnce({ kind: 'tasmota', host: plug.host, channel: 1 })
  expect(sample).toEqual({ powerW: 20, energyJ: 4 * 3_600_000 })
})

test('one total for several sockets is not the counter of one of them', async () => {
  await using plug = await startPlug(only(PATH, energy({ Power: [1, 20] })))
  const sample = await sampleOnce({ kind: 'tasmota', host: plug.host, channel: 1 })
  expect(sample).toMatchObject({ powerW: 20, energyJ: { reason: 'not-supported' } })
})

test('user and password go into the query', async () => {
  await using plug = await startPlug(only(`${PATH}&user=admin&password=a%26b%20c`, energy({})))
  const sample = await sampleOnce({ kind: 'tasmota', host: plug.host, password: 'a&b c' })
  expect(sample.powerW).toBe(42)
})

test.each([401, 200])('a wrong password is told from HTTP %i and never shown', async (status) => {
  const warning = { WARNING: 'Need user=<username>&password=<password>' }
  await using plug = await startPlug(() => ({ status, body: JSON.stringify(warning) }))
  const { powerW } = await sampleOnce({ kind: 'tasmota', host: plug.host, password: 'wrong-one' })
  expect(powerW).toMatchObject({ reason: 'permission-denied' })
  expect(JSON.stringify(powerW)).not.toContain('wrong-one')
})

test('a plug without a meter is told from one with', async () => {
  await using plug = await startPlug(only(PATH, { StatusSNS: { Switch1: 'OFF' } }))
  const { powerW } = await sampleOnce({ kind: 'tasmota', host: plug.host })
  expect(powerW).toMatchObject({ reason: 'not-supported' })
})

test('another device is told by the missing field', async () => {
  await using plug = await startPlug(only(PATH, {}))
  const { powerW } = await sampleOnce({ kind: 'tasmota', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: "the answer has no number at 'StatusSNS.ENERGY.Power'",
  })
})

test('nan in place of a number is implausible, not another device', async () => {
  const body = '{"StatusSNS":{"ENERGY":{"Power":nan}}}'
  await using plug = await startPlug(() => ({ body }))
  const { powerW } = await sampleOnce({ kind: 'tasmota', host: plug.host })
  expect(powerW).toMatchObject({ reason: 'implausible' })
})

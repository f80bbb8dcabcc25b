import { expect, test } from 'vitest'
import { sampleOnce } from './sampling.js'
import { only, type PlugHandler, startPlug } from './server.js'

const STATUS = {
  wifi_sta: { connected: true },
  relays: [{ ison: true }],
  meters: [
    { power: 87.31, is_valid: true, timestamp: 1680779310, counters: [87.1], total: 439237 },
  ],
  uptime: 18961,
}

test('power is in watts and the counter in watt-minutes', async () => {
  await using plug = await startPlug(only('/status', STATUS))
  const sample = await sampleOnce({ kind: 'shelly-gen1', host: plug.host })
  expect(sample).toEqual({ powerW: 87.31, energyJ: 439237 * 60 })
  expect(plug.seen).toEqual(['GET /status'])
  expect(plug.refused).toEqual([])
})

test('the channels of an EM count in watt-hours', async () => {
  const emeters = [
    { power: 1, is_valid: true, total: 1 },
    { power: 10.66, is_valid: true, total: 5.3 },
  ]
  await using plug = await startPlug(only('/status', { emeters }))
  const sample = await sampleOnce({ kind: 'shelly-gen1', host: plug.host, channel: 1 })
  expect(sample).toEqual({ powerW: 10.66, energyJ: 5.3 * 3600 })
})

const withPassword: PlugHandler = ({ path, method, headers }) => {
  if (method !== 'GET' || path !== '/status') return
  const expected = `Basic ${Buffer.from('admin:s3cret').toString('base64')}`
  if (headers.authorization === expected) return { body: JSON.stringify(STATUS) }
  return { status: 401, headers: { 'www-authenticate': 'Basic realm="shelly"' } }
}

test('a password is sent only after the plug asked for it', async () => {
  await using plug = await startPlug(withPassword)
  const sample = await sampleOnce({ kind: 'shelly-gen1', host: plug.host, password: 's3cret' })
  expect(sample.powerW).toBe(87.31)
  expect(plug.seen).toEqual(['GET /status', 'GET /status'])
})

test.each([['wrong-one'], [undefined]])(
  'password %s is denied without being shown',
  async (password) => {
    await using plug = await startPlug(withPassword)
    const secret = password === undefined ? {} : { password }
    const { powerW } = await sampleOnce({ kind: 'shelly-gen1', host: plug.host, ...secret })
    expect(powerW).toMatchObject({
      reason: 'permission-denied',
      detail: `${plug.host}/status answered HTTP 401`,
      fix: expect.stringContaining('password'),
    })
    expect(JSON.stringify(powerW)).not.toContain('wrong-one')
  },
)

test('a model without a meter is told from one with', async () => {
  await using plug = await startPlug(only('/status', { meters: [{ power: 0, is_valid: true }] }))
  const { powerW } = await sampleOnce({ kind: 'shelly-gen1', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'not-supported',
    detail: "this Shelly does not measure power: 'meters.0' has no 'total'",
  })
})

test('a meter that is not valid gives no value', async () => {
  const meters = [{ power: 0, is_valid: false, total: 3 }]
  await using plug = await startPlug(only('/status', { meters }))
  const { powerW } = await sampleOnce({ kind: 'shelly-gen1', host: plug.host })
  expect(powerW).toMatchObject({ reason: 'no-data', detail: expect.stringContaining('is_valid') })
})

test('a newer Shelly says which kind it needs', async () => {
  await using plug = await startPlug(only('/rpc/Shelly.GetStatus', {}))
  const { powerW } = await sampleOnce({ kind: 'shelly-gen1', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    fix: expect.stringContaining("'shelly'"),
  })
})

test('another device is told by the missing field', async () => {
  await using plug = await startPlug(only('/status', { hello: 1 }))
  const { powerW } = await sampleOnce({ kind: 'shelly-gen1', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: "the answer has no 'meters.0' and no 'emeters.0'",
  })
})

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createWallSource } from '../../src/wall/index.js'
import { sampleOf, sampleOnce } from './sampling.js'
import { only, type PlugHandler, startPlug } from './server.js'

const PATH = '/rpc/Shelly.GetStatus'
const STATUS = {
  ble: {},
  'switch:0': {
    id: 0,
    source: 'HTTP_in',
    output: true,
    apower: 106.3,
    voltage: 230.3,
    aenergy: { total: 267.813, by_minute: [73.921, 177.749, 177.749], minute_ts: 1682952864 },
  },
  sys: { uptime: 347388 },
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const REALM = 'shellyplugus-083af2018c80'

/** The parameters of an `Authorization: Digest` header. */
function digestParts(header = '') {
  const parts = new Map<string, string>()
  for (const [, key = '', value = ''] of header.matchAll(/(\w+)="?([^",]*)"?/g)) {
    parts.set(key, value)
  }
  return (key: string) => parts.get(key) ?? ''
}

/** The digest of RFC 7616 as a device checks it: nonces are known, counts rise, hashes match. */
function digestPlug(password: string, uses: number): PlugHandler {
  const counts = new Map<string, number>()
  const challenge = () => {
    const nonce = String(1_700_000_000 + counts.size)
    counts.set(nonce, 0)
    const text = `Digest qop="auth", realm="${REALM}", nonce="${nonce}", algorithm=SHA-256`
    return { status: 401, headers: { 'www-authenticate': text } }
  }
  const isFresh = (nonce: string, count: number) => {
    const before = counts.get(nonce)
    counts.set(nonce, count)
    return before !== undefined && count === before + 1 && count <= uses
  }
  return ({ method, path, headers }) => {
    if (method !== 'GET' || path !== PATH) return
    const part = digestParts(headers.authorization)
    if (!isFresh(part('nonce'), Number.parseInt(part('nc'), 16))) return challenge()
    const user = sha256(`admin:${REALM}:${password}`)
    const use = `${part('nonce')}:${part('nc')}:${part('cnonce')}:auth`
    const expected = sha256(`${user}:${use}:${sha256(`GET:${PATH}`)}`)
    const isRight =
      [part('username'), part('uri'), part('response')].join() === ['admin', PATH, expected].join()
    return isRight ? { body: JSON.stringify(STATUS) } : challenge()
  }
}

test('a switch gives power and a counter in watt-hours', async () => {
  await using plug = await startPlug(only(PATH, STATUS))
  const sample = await sampleOnce({ kind: 'shelly', host: plug.host })
  expect(sample).toEqual({ powerW: 106.3, energyJ: 267.813 * 3600 })
  expect(plug.seen).toEqual([`GET ${PATH}`])
})

test.each([
  ['pm1', { 'pm1:0': { apower: 5.5, aenergy: { total: 2 } } }, 5.5],
  ['em1', { 'em1:0': { act_power: 501.8 }, 'em1data:0': { total_act_energy: 2 } }, 501.8],
])('a %s component is found by itself', async (_name, status, powerW) => {
  await using plug = await startPlug(only(PATH, status))
  expect(await sampleOnce({ kind: 'shelly', host: plug.host })).toEqual({ powerW, energyJ: 7200 })
})

test('digest authentication satisfies a server that checks it, and the nonce is used again', async () => {
  await using plug = await startPlug(digestPlug('s3cret', 30_000))
  await using source = createWallSource({ kind: 'shelly', host: plug.host, password: 's3cret' })
  expect((await sampleOf(source)).powerW).toBe(106.3)
  expect((await sampleOf(source)).powerW).toBe(106.3)
  expect((await sampleOf(source)).powerW).toBe(106.3)
  expect(plug.seen).toHaveLength(4)
  expect(plug.refused).toEqual([])
})

test('a plug that gives a new nonce for every request is answered every time', async () => {
  await using plug = await startPlug(digestPlug('s3cret', 1))
  await using source = createWallSource({ kind: 'shelly', host: plug.host, password: 's3cret' })
  expect((await sampleOf(source)).powerW).toBe(106.3)
  expect((await sampleOf(source)).powerW).toBe(106.3)
  expect(plug.seen).toHaveLength(4)
})

test('a wrong password is tried once and never shown', async () => {
  await using plug = await startPlug(digestPlug('s3cret', 30_000))
  const { powerW } = await sampleOnce({ kind: 'shelly', host: plug.host, password: 'wrong-one' })
  expect(powerW).toMatchObject({ reason: 'permission-denied' })
  expect(JSON.stringify(powerW)).not.toContain('wrong-one')
  expect(plug.seen).toHaveLength(2)
})

test('a relay without a meter is told from one with', async () => {
  await using plug = await startPlug(only(PATH, { 'switch:0': { output: true } }))
  const { powerW } = await sampleOnce({ kind: 'shelly', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'not-supported',
    detail: "this Shelly does not measure power: 'switch:0' has no 'apower'",
  })
})

test('a meter in error gives no value', async () => {
  const status = { 'switch:0': { apower: null, errors: ['power_meter:failure'] } }
  await using plug = await startPlug(only(PATH, status))
  const { powerW } = await sampleOnce({ kind: 'shelly', host: plug.host })
  expect(powerW).toMatchObject({ reason: 'no-data' })
})

test('a plug without the counter still gives power', async () => {
  await using plug = await startPlug(only(PATH, { 'switch:0': { apower: 7 } }))
  const sample = await sampleOnce({ kind: 'shelly', host: plug.host })
  expect(sample).toMatchObject({ powerW: 7, energyJ: { reason: 'not-supported' } })
})

test('a missing channel is named', async () => {
  await using plug = await startPlug(only(PATH, STATUS))
  const { powerW } = await sampleOnce({ kind: 'shelly', host: plug.host, channel: 3 })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: "the answer has none of 'switch:3', 'pm1:3', 'em1:3'",
  })
})

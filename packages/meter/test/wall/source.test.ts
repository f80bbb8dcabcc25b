import { EnergyBenchError, isUnavailable } from '@energy-bench/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWallSource, parseWallConfig, type WallConfig } from '../../src/wall/index.js'
import { fakeClock, sampleOf, sampleOnce } from './sampling.js'
import { only, startPlug } from './server.js'

const DATA = { active_power_w: 100, total_power_import_kwh: 1 }
const PLUG = only('/api/v1/data', DATA)

test('a poll records its start and end, and dates the power inside it', async () => {
  await using plug = await startPlug(PLUG)
  await using source = createWallSource({ kind: 'homewizard', host: plug.host, name: 'desk' })
  const before = Number(process.hrtime.bigint()) / 1e9
  const { startS, endS, domains } = await source.sample()
  const power = domains['wall:desk:power']
  if (power === undefined || !('samples' in power)) throw new Error('no power sample')
  const timeS = power.samples[0]?.timeS ?? 0
  expect(before).toBeLessThanOrEqual(startS)
  expect(startS).toBeLessThan(timeS)
  expect(timeS).toBeLessThan(endS)
  expect(source.id).toBe('wall:desk')
})

test('a plug that goes offline is lost, and comes back on a later poll', async () => {
  const clock = fakeClock()
  const first = await startPlug(PLUG)
  const { port, host } = first
  await using source = createWallSource({ kind: 'homewizard', host }, { now: clock.now })
  expect((await sampleOf(source)).powerW).toBe(100)
  await first[Symbol.asyncDispose]()
  expect((await sampleOf(source)).powerW).toMatchObject({ reason: 'no-data' })
  clock.wait(1)
  const gone = await sampleOf(source)
  expect(gone.powerW).toMatchObject({
    reason: 'device-lost',
    detail: expect.stringMatching(/cannot be reached \(\w+\)/),
  })
  expect(gone.energyJ).toEqual(gone.powerW)
  await using _second = await startPlug(PLUG, port)
  clock.wait(1)
  expect((await sampleOf(source)).powerW).toBe(100)
})

test('a plug that stays away is asked less and less often', async () => {
  const clock = fakeClock()
  let asked = 0
  const refuse = () => {
    asked += 1
    const cause = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    return Promise.reject(new TypeError('fetch failed', { cause }))
  }
  const options = { now: clock.now, fetch: refuse }
  await using source = createWallSource({ kind: 'homewizard', host: 'plug' }, options)
  for (let second = 0; second < 60; second += 1) {
    await sampleOf(source)
    clock.wait(1)
  }
  expect(asked).toBe(10)
})

test('an unknown host name is told from a plug without power', async () => {
  const unknown = await sampleOnce({ kind: 'shelly', host: 'no-such-plug.invalid' })
  expect(unknown.powerW).toMatchObject({
    reason: 'no-device',
    detail: expect.stringMatching(/host name of no-such-plug.invalid is not known \(E\w+\)/),
    fix: expect.stringContaining('IP address'),
  })
  const kasa = await sampleOnce({ kind: 'kasa', host: 'no-such-plug.invalid' })
  expect(kasa.powerW).toMatchObject({ detail: expect.stringContaining('is not known') })
})

test.each(['shelly', 'kasa'] as const)('%s: a closed port is offline', async (kind) => {
  const plug = await startPlug(PLUG)
  await plug[Symbol.asyncDispose]()
  const { powerW } = await sampleOnce({ kind, host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'no-device',
    detail: `${plug.host} cannot be reached (ECONNREFUSED)`,
  })
})

test('a plug that is too slow runs into the limit', async () => {
  await using plug = await startPlug(() => new Promise(() => {}))
  const { powerW } = await sampleOnce({ kind: 'homewizard', host: plug.host, timeoutS: 0.05 })
  expect(powerW).toMatchObject({
    reason: 'no-device',
    detail: `${plug.host} did not answer within 0.05 s (timeout)`,
    fix: expect.stringContaining('timeoutS'),
  })
})

test.each([
  ['<html>router login</html>', 'driver-mismatch', 'did not answer JSON'],
  ['', 'driver-mismatch', 'did not answer JSON'],
  ['{"active_power_w":-4}', 'implausible', 'the plug said -4 W'],
])('the answer %s is refused', async (body, reason, detail) => {
  await using plug = await startPlug(() => ({ body }))
  const { powerW } = await sampleOnce({ kind: 'homewizard', host: plug.host })
  expect(powerW).toMatchObject({ reason, detail: expect.stringContaining(detail) })
})

test('a redirect is not followed', async () => {
  await using plug = await startPlug(() => ({
    status: 302,
    headers: { location: '/relay/0?turn=off' },
  }))
  const { powerW } = await sampleOnce({ kind: 'homewizard', host: plug.host })
  expect(powerW).toMatchObject({ reason: 'driver-mismatch' })
  expect(plug.seen).toEqual(['GET /api/v1/data'])
})

test('a plug that fails by itself is told by its status', async () => {
  await using plug = await startPlug(() => ({ status: 500 }))
  const { powerW } = await sampleOnce({ kind: 'homewizard', host: plug.host })
  expect(powerW).toMatchObject({ reason: 'failed', detail: expect.stringContaining('HTTP 500') })
})

test('the signal ends a running request with its reason', async () => {
  const controller = new AbortController()
  await using plug = await startPlug(() => {
    controller.abort(new Error('stop now'))
    return new Promise(() => {})
  })
  const options = { signal: controller.signal }
  await using source = createWallSource({ kind: 'homewizard', host: plug.host }, options)
  await expect(source.sample()).rejects.toThrow('stop now')
})

test('a closed source refuses to sample', async () => {
  const source = createWallSource({ kind: 'homewizard', host: '127.0.0.1:1' })
  await source[Symbol.asyncDispose]()
  await expect(source.sample()).rejects.toBeInstanceOf(EnergyBenchError)
})

const SECRET = 'pw-that-must-not-leak'
const LOGIN = { username: 'user', password: SECRET }
const CONFIGS: readonly WallConfig[] = [
  { kind: 'shelly-gen1', host: 'plug', ...LOGIN },
  { kind: 'shelly', host: 'plug', password: SECRET },
  { kind: 'tasmota', host: 'plug', ...LOGIN },
  { kind: 'tapo', host: 'plug', ...LOGIN },
  { kind: 'homewizard', host: 'plug' },
  {
    kind: 'home-assistant',
    host: 'plug',
    token: SECRET,
    powerEntity: 'sensor.p',
    energyEntity: 'e',
  },
  { kind: 'esphome', host: 'plug', powerSensor: 'p', energySensor: 'e', ...LOGIN },
  { kind: 'fritz-dect', host: 'plug', ain: '12345', ...LOGIN },
  {
    kind: 'http-json',
    url: `http://plug/x?key=${SECRET}`,
    power: { pointer: '/a', unit: 'W' },
    headers: { authorization: SECRET },
  },
]

/** Everything that a driver may ever ask. Nothing here switches, sets or resets. */
const HARMLESS = [
  'GET /status',
  'GET /rpc/Shelly.GetStatus',
  `GET /cm?cmnd=Status%208&user=user&password=${SECRET}`,
  'POST /app/handshake1',
  'POST /app/handshake2',
  'GET /api/v1/data',
  'GET /api/states/sensor.p',
  'GET /api/states/e',
  'GET /sensor/p',
  'GET /sensor/e',
  'GET /login_sid.lua?version=2',
  'POST /login_sid.lua?version=2',
  `GET /x?key=${SECRET}`,
]

test.each(CONFIGS)(
  '$kind: no answer makes it reject, show a secret or ask for more than it may',
  async (config) => {
    const bodies = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constant('<SID>0</SID><Challenge>x</Challenge>'),
    )
    const statuses = fc.constantFrom(200, 200, 200, 301, 401, 403, 404, 500)
    await fc.assert(
      fc.asyncProperty(bodies, statuses, async (body, status) => {
        const headers = { 'www-authenticate': 'Digest realm="r", nonce="n", algorithm=SHA-256' }
        const asked: string[] = []
        const fetch = (address: unknown, init?: RequestInit) => {
          const { pathname, search } = new URL(String(address))
          asked.push(`${init?.method} ${pathname}${search}`)
          return Promise.resolve(new Response(body, { status, headers }))
        }
        await using source = createWallSource(config, { fetch })
        const sample = await source.sample()
        expect(asked.filter((request) => !HARMLESS.includes(request))).toEqual([])
        expect(asked.length).toBeGreaterThan(0)
        expect(Object.keys(sample.domains)).toEqual(source.domains.map(({ id }) => id))
        for (const part of Object.values(sample.domains)) {
          if (isUnavailable(part)) expect(part.fix).toMatch(/\w/)
        }
        expect(JSON.stringify([sample, source.domains, source.devices])).not.toContain(SECRET)
      }),
      { numRuns: 40 },
    )
  },
)

test('an unknown error is reported by name only', async () => {
  const fetch = () => Promise.reject(new RangeError(`http://x/?password=${SECRET}`))
  const { powerW } = await sampleOnce({ kind: 'homewizard', host: 'plug' }, { fetch })
  expect(powerW).toMatchObject({ status: 'unavailable' })
  expect(JSON.stringify(powerW)).not.toContain(SECRET)
})

test('configs survive the way to a worker', () => {
  for (const config of CONFIGS) expect(parseWallConfig(structuredClone(config))).toEqual(config)
})

import { describe, expect, test } from 'vitest'
import { createWallSource } from '../../src/wall/index.js'
import { klapKeys } from '../../src/wall/klap.js'
import { sampleOf, sampleOnce } from './sampling.js'
import { startPlug } from './server.js'
import { createTapoPlug } from './tapo-plug.js'

const ACCOUNT = { username: 'Me@example.org', password: 's3cret' }
const USAGE = { get_energy_usage: { error_code: 0, result: { current_power: 45123 } } }

test('one login serves many requests, whose sequence rises', async () => {
  const tapo = createTapoPlug(ACCOUNT, USAGE)
  await using plug = await startPlug(tapo.handler)
  await using source = createWallSource({ kind: 'tapo', host: plug.host, ...ACCOUNT })
  for (let poll = 0; poll < 3; poll += 1) {
    expect((await sampleOf(source)).powerW).toBeCloseTo(45.123, 9)
  }
  expect(tapo.handshakes()).toBe(1)
  expect(tapo.methods).toEqual(['get_energy_usage', 'get_energy_usage', 'get_energy_usage'])
  expect(plug.refused).toEqual([])
})

test('a session that the plug forgot is opened again in the same poll', async () => {
  const tapo = createTapoPlug(ACCOUNT, USAGE)
  await using plug = await startPlug(tapo.handler)
  await using source = createWallSource({ kind: 'tapo', host: plug.host, ...ACCOUNT })
  await sampleOf(source)
  tapo.forget()
  expect((await sampleOf(source)).powerW).toBeCloseTo(45.123, 9)
  expect(tapo.handshakes()).toBe(2)
})

test('a session that ends by a code is opened again once', async () => {
  const tapo = createTapoPlug(ACCOUNT, { get_energy_usage: { error_code: 9999 } })
  await using plug = await startPlug(tapo.handler)
  const { powerW } = await sampleOnce({ kind: 'tapo', host: plug.host, ...ACCOUNT })
  expect(powerW).toMatchObject({ detail: `${plug.host} ended the session at once` })
  expect(tapo.handshakes()).toBe(1)
})

test('newer plugs give their power by another method', async () => {
  const answers = {
    get_energy_usage: { error_code: 0, result: { today_energy: 3 } },
    get_emeter_data: { error_code: 0, result: { power_mw: 7000 } },
  }
  await using plug = await startPlug(createTapoPlug(ACCOUNT, answers).handler)
  expect((await sampleOnce({ kind: 'tapo', host: plug.host, ...ACCOUNT })).powerW).toBe(7)
})

test('a plug without a meter is told from one with', async () => {
  await using plug = await startPlug(createTapoPlug(ACCOUNT, {}).handler)
  const { powerW } = await sampleOnce({ kind: 'tapo', host: plug.host, ...ACCOUNT })
  expect(powerW).toMatchObject({
    reason: 'not-supported',
    detail: expect.stringContaining('get_energy_usage: error_code 1002'),
  })
})

test('a wrong password ends before the second handshake and is never shown', async () => {
  await using plug = await startPlug(createTapoPlug(ACCOUNT, USAGE).handler)
  const wrong = { username: 'Me@example.org', password: 'wrong-one' }
  const { powerW } = await sampleOnce({ kind: 'tapo', host: plug.host, ...wrong })
  expect(powerW).toMatchObject({ reason: 'permission-denied' })
  expect(JSON.stringify(powerW)).not.toMatch(/wrong-one|Me@example/)
  expect(plug.seen).toEqual(['POST /app/handshake1'])
})

describe('a Kasa plug that speaks version 1', () => {
  const KASA = { 'emeter.get_realtime': { emeter: { get_realtime: { power_mw: 61_500 } } } }

  test('is logged into and asked in the words of Kasa', async () => {
    const kasa = createTapoPlug(ACCOUNT, KASA, { version: 1 })
    await using plug = await startPlug(kasa.handler)
    await using source = createWallSource({ kind: 'tapo', host: plug.host, ...ACCOUNT })
    for (let poll = 0; poll < 3; poll += 1) {
      expect((await sampleOf(source)).powerW).toBeCloseTo(61.5, 9)
    }
    expect(kasa.handshakes()).toBe(1)
    expect(new Set(kasa.methods)).toEqual(new Set(['emeter.get_realtime']))
    expect(plug.refused).toEqual([])
  })

  test('may give whole watts', async () => {
    const answers = { 'emeter.get_realtime': { emeter: { get_realtime: { power: 61.5 } } } }
    await using plug = await startPlug(createTapoPlug(ACCOUNT, answers, { version: 1 }).handler)
    expect((await sampleOnce({ kind: 'tapo', host: plug.host, ...ACCOUNT })).powerW).toBe(61.5)
  })

  test('that serves one request a login is logged into for each', async () => {
    const kasa = createTapoPlug(ACCOUNT, KASA, { version: 1, servesOnly: 1 })
    await using plug = await startPlug(kasa.handler)
    await using source = createWallSource({ kind: 'tapo', host: plug.host, ...ACCOUNT })
    for (let poll = 0; poll < 3; poll += 1) {
      expect((await sampleOf(source)).powerW).toBeCloseTo(61.5, 9)
    }
    expect(kasa.handshakes()).toBe(3)
  })

  test('refuses a wrong password as well', async () => {
    await using plug = await startPlug(createTapoPlug(ACCOUNT, KASA, { version: 1 }).handler)
    const wrong = { username: 'Me@example.org', password: 'wrong-one' }
    const { powerW } = await sampleOnce({ kind: 'tapo', host: plug.host, ...wrong })
    expect(powerW).toMatchObject({ reason: 'permission-denied' })
    expect(JSON.stringify(powerW)).not.toMatch(/wrong-one|Me@example/)
    expect(plug.seen).toEqual(['POST /app/handshake1'])
  })

  test('without a meter says so', async () => {
    const answers = { 'emeter.get_realtime': { emeter: { err_code: -1 } } }
    await using plug = await startPlug(createTapoPlug(ACCOUNT, answers, { version: 1 }).handler)
    expect((await sampleOnce({ kind: 'tapo', host: plug.host, ...ACCOUNT })).powerW).toMatchObject({
      reason: 'not-supported',
      detail: expect.stringContaining('emeter.get_realtime: error_code -1'),
    })
  })
})

test('a Kasa plug that speaks version 2 is asked in its own words after those of Tapo', async () => {
  const answers = { 'emeter.get_realtime': { emeter: { get_realtime: { power_mw: 9000 } } } }
  const kasa = createTapoPlug(ACCOUNT, answers)
  await using plug = await startPlug(kasa.handler)
  await using source = createWallSource({ kind: 'tapo', host: plug.host, ...ACCOUNT })
  expect((await sampleOf(source)).powerW).toBe(9)
  expect((await sampleOf(source)).powerW).toBe(9)
  const once = ['get_energy_usage', 'get_emeter_data', 'emeter.get_realtime']
  expect(kasa.methods).toEqual([...once, 'emeter.get_realtime'])
})

test('a device without the protocol says what to turn on', async () => {
  await using plug = await startPlug(() => ({ status: 403 }))
  const { powerW } = await sampleOnce({ kind: 'tapo', host: plug.host, ...ACCOUNT })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: `${plug.host}/app/handshake1 answered HTTP 403 with 0 bytes`,
    fix: expect.stringContaining('Third-Party Compatibility'),
  })
})

test('the sequence is a signed number', () => {
  const seed = (value: number) => Buffer.alloc(16, value)
  const firsts = Array.from({ length: 32 }, (_, index) => {
    const seeds = { localSeed: seed(index), remoteSeed: seed(1), authHash: seed(2) }
    return klapKeys(seeds).firstSequence
  })
  expect(firsts.some((first) => first < 0)).toBe(true)
  expect(firsts.every((first) => first === (first | 0))).toBe(true)
})

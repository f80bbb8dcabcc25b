import { expect, test } from 'vitest'
import { fritzResponse } from '../../src/wall/fritz-login.js'
import { createWallSource } from '../../src/wall/index.js'
import { createFritzBox } from './fritz-box.js'
import { fakeClock, sampleOf, sampleOnce } from './sampling.js'
import { startPlug } from './server.js'

const BOX = {
  challenge: 'pbkdf2',
  user: 'fritz1234',
  password: 'pässword',
  ain: '116300123456',
  answers: { getswitchpower: { body: '45120\n' }, getswitchenergy: { body: '3210\n' } },
} as const

const config = (host: string) =>
  ({ kind: 'fritz-dect', host, ain: '11630 0123456', password: BOX.password }) as const

test.each(['pbkdf2', 'md5'] as const)('the %s challenge is answered', async (challenge) => {
  const box = createFritzBox({ ...BOX, challenge })
  await using plug = await startPlug(box.handler)
  const sample = await sampleOnce({ ...config(plug.host), username: 'fritz1234' })
  expect(sample).toEqual({ powerW: 45.12, energyJ: 3210 * 3600 })
  expect(plug.refused).toEqual([])
})

test('without a user name the last user of the box logs in, once for many polls', async () => {
  const box = createFritzBox(BOX)
  await using plug = await startPlug(box.handler)
  await using source = createWallSource(config(plug.host))
  await sampleOf(source)
  expect((await sampleOf(source)).powerW).toBe(45.12)
  expect(box.logins()).toBe(1)
})

test('a session that ended is opened again in the same poll', async () => {
  const box = createFritzBox(BOX)
  await using plug = await startPlug(box.handler)
  await using source = createWallSource(config(plug.host))
  await sampleOf(source)
  box.forget()
  expect((await sampleOf(source)).powerW).toBe(45.12)
  expect(box.logins()).toBe(2)
})

test('a wrong password is not tried again while the box blocks logins', async () => {
  const box = createFritzBox(BOX)
  const clock = fakeClock()
  await using plug = await startPlug(box.handler)
  const wrong = { ...config(plug.host), password: 'wrong-one' }
  await using source = createWallSource(wrong, { now: clock.now })
  const { powerW } = await sampleOf(source)
  expect(powerW).toMatchObject({ reason: 'permission-denied' })
  expect(JSON.stringify(powerW)).not.toContain('wrong-one')
  clock.wait(31)
  await sampleOf(source)
  expect(box.logins()).toBe(1)
  clock.wait(2)
  await sampleOf(source)
  expect(box.logins()).toBe(2)
})

test('a box that blocks logins is left alone', async () => {
  const box = createFritzBox({ ...BOX, blockS: 64 })
  await using plug = await startPlug(box.handler)
  const { powerW } = await sampleOnce(config(plug.host))
  expect(powerW).toMatchObject({ detail: expect.stringContaining('blocks logins for 64 s') })
  expect(box.logins()).toBe(0)
})

test('inval means that the plug is away', async () => {
  const inval = { body: 'inval\n' }
  const answers = { getswitchpower: inval, getswitchenergy: inval }
  await using plug = await startPlug(createFritzBox({ ...BOX, answers }).handler)
  const { powerW } = await sampleOnce(config(plug.host))
  expect(powerW).toMatchObject({
    reason: 'no-device',
    detail: "the plug with AIN 11630 0123456 is not connected to the box ('inval')",
  })
})

test('an unknown plug is named', async () => {
  await using plug = await startPlug(createFritzBox(BOX).handler)
  const { powerW } = await sampleOnce({ ...config(plug.host), ain: '99999 9999999' })
  expect(powerW).toMatchObject({ reason: 'no-device', detail: expect.stringContaining('HTTP 400') })
})

test('a user without the right for Smart Home is told from an old session', async () => {
  const answers = { getswitchpower: { status: 403 }, getswitchenergy: { status: 403 } }
  await using plug = await startPlug(createFritzBox({ ...BOX, answers }).handler)
  const { powerW } = await sampleOnce(config(plug.host))
  expect(powerW).toMatchObject({
    reason: 'permission-denied',
    fix: expect.stringContaining('Smart Home'),
  })
})

// Written down from memory; a match by chance is out of the question.
test('two worked examples of the login come out', async () => {
  expect(await fritzResponse('2$10000$5A1711$2000$5A1722', '1example!')).toBe(
    '5A1722$1798a1672bca7c6463d6b245f82b53703b0f50813401b03e4045a5861e689adb',
  )
  expect(await fritzResponse('1234567z', 'äbc')).toBe('1234567z-9e224a41eeefa284df7bb0f26c2913e2')
})

test('a challenge with absurd work is refused', async () => {
  await expect(fritzResponse('2$2000000000$00$1$00', 'x')).rejects.toMatchObject({
    unavailable: { reason: 'driver-mismatch' },
  })
})

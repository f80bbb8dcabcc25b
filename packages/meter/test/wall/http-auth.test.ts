import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestHeader, parseChallenge } from '../../src/wall/digest.js'
import { sampleOnce } from './sampling.js'
import { startPlug } from './server.js'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const part = (header: string, key: string) =>
  new RegExp(`[ ,]${key}="?([^",]*)"?`).exec(header)?.[1]

test('a challenge without an algorithm is MD5, and its opaque text goes back', () => {
  const challenge = parseChallenge('Digest realm="asyncesp", qop="auth", nonce="n1", opaque="o1"')
  if (challenge === undefined) throw new Error('no challenge')
  const login = { username: 'admin', password: 'pw' }
  const header = digestHeader(challenge, login, { method: 'GET', path: '/sensor/p', count: 26 })
  const use = `n1:0000001a:${part(header, 'cnonce')}:auth`
  const expected = md5(`${md5('admin:asyncesp:pw')}:${use}:${md5('GET:/sensor/p')}`)
  expect(part(header, 'response')).toBe(expected)
  expect(part(header, 'opaque')).toBe('o1')
  expect(part(header, 'nc')).toBe('0000001a')
})

test.each([
  [null, undefined],
  ['Bearer realm="x"', undefined],
  ['Digest realm="x", nonce="n", algorithm=SHA-512-256', undefined],
  ['basic realm="x y"', { scheme: 'basic', parameters: { realm: 'x y' } }],
  // The safest of several that is known, whatever their order.
  [
    'Basic realm="a", Digest realm="b", nonce="n, Basic x=1"',
    { scheme: 'digest', parameters: { realm: 'b', nonce: 'n, Basic x=1' } },
  ],
  [
    'Digest realm="a", nonce="n", algorithm=SHA-512-256, Digest realm="b", nonce="m", algorithm=MD5',
    { scheme: 'digest', parameters: { realm: 'b', nonce: 'm', algorithm: 'MD5' } },
  ],
  [
    'Digest realm="a", nonce="n", algorithm=MD5, Digest realm="b", nonce="m", algorithm=SHA-256',
    { scheme: 'digest', parameters: { realm: 'b', nonce: 'm', algorithm: 'SHA-256' } },
  ],
  ['Bearer realm="x", Basic realm="y"', { scheme: 'basic', parameters: { realm: 'y' } }],
])('the challenge %s is read', (header, expected) => {
  expect(parseChallenge(header)).toEqual(expected)
})

test('an unknown way to log in is denied without a second request', async () => {
  const headers = { 'www-authenticate': 'Bearer' }
  await using plug = await startPlug(() => ({ status: 401, headers }))
  const { powerW } = await sampleOnce({
    kind: 'esphome',
    host: plug.host,
    powerSensor: 'p',
    password: 'x',
  })
  expect(powerW).toMatchObject({ reason: 'permission-denied' })
  expect(plug.seen).toEqual(['GET /sensor/p'])
})

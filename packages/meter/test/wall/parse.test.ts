import { EnergyBenchError } from '@energy-bench/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseWallConfig, parseWallUrl } from '../../src/wall/index.js'

test.each([
  ['shelly://192.168.1.5', { kind: 'shelly', host: '192.168.1.5' }],
  [
    'shelly://admin:p%40ss@plug.local:8080?channel=1&name=desk',
    { kind: 'shelly', host: 'plug.local:8080', password: 'p@ss', channel: 1, name: 'desk' },
  ],
  ['shelly-gen1://u:p@plug', { kind: 'shelly-gen1', host: 'plug', username: 'u', password: 'p' }],
  [
    'tasmota://plug:80?energyDecimals=5&timeoutS=0.5',
    { kind: 'tasmota', host: 'plug:80', energyDecimals: 5, timeoutS: 0.5 },
  ],
  ['kasa://[fe80::1]:9999/8006AB', { kind: 'kasa', host: '[fe80::1]:9999', childId: '8006AB' }],
  [
    'tapo://me@mail.org:pw@10.0.0.2',
    { kind: 'tapo', host: '10.0.0.2', username: 'me@mail.org', password: 'pw' },
  ],
  ['homewizard://plug', { kind: 'homewizard', host: 'plug' }],
  [
    'home-assistant+https://tok.en@ha:443/sensor.p?energyEntity=sensor.e',
    {
      kind: 'home-assistant',
      host: 'ha:443',
      token: 'tok.en',
      powerEntity: 'sensor.p',
      energyEntity: 'sensor.e',
      isSecure: true,
    },
  ],
  ['esphome://plug/My%20Power', { kind: 'esphome', host: 'plug', powerSensor: 'My Power' }],
  [
    'fritz-dect://u:p@fritz.box/11630%200123456',
    { kind: 'fritz-dect', host: 'fritz.box', ain: '11630 0123456', username: 'u', password: 'p' },
  ],
  [
    'http-json+http://u:p@host:81/a?b=c#power=/x/0&powerUnit=kW&energy=/y&name=n',
    {
      kind: 'http-json',
      url: 'http://host:81/a?b=c',
      headers: { authorization: 'Basic dTpw' },
      power: { pointer: '/x/0', unit: 'kW' },
      energy: { pointer: '/y', unit: 'kWh' },
      name: 'n',
    },
  ],
])('%s is read', (text, config) => {
  expect(parseWallUrl(text)).toEqual(config)
})

test.each([
  ['plug', 'no known kind'],
  ['ftp://plug', 'no known kind'],
  ['shelly://', "'host'"],
  ['shelly+http://plug', 'does not start right'],
  ['http-json://plug', 'does not start right'],
  ['shelly://a b', 'cannot be read'],
  ['shelly://plug/path', "unknown field 'path'"],
  ['shelly://bob@plug', "unknown field 'username'"],
  ['shelly://plug?channel=x', "'channel'"],
  ['shelly://plug?chanel=1', "unknown field 'chanel'"],
  ['tapo://plug', "'username'"],
  ['tapo://u:%zz@plug', 'the password in the address has a wrong %XX'],
  ['home-assistant://tok@ha', "neither 'powerEntity' nor 'energyEntity'"],
  ['http-json+http://plug', "neither 'power' nor 'energy'"],
  ['http-json+http://plug#power=x', "'power'"],
  ['http-json+http://plug#power=/x&powerUnit=hp', "'power'"],
])('%s is refused by name', (text, message) => {
  expect(() => parseWallUrl(text)).toThrow(
    expect.objectContaining({ code: 'usage-invalid', message: expect.stringContaining(message) }),
  )
})

test.each([
  [null, 'no object'],
  [[], 'no object'],
  [{ host: 'a' }, "no known 'kind'"],
  [{ kind: 'toString', host: 'a' }, "no known 'kind'"],
  [{ kind: 'shelly' }, "'host' is missing"],
  [{ kind: 'shelly', host: 'http://a' }, "'host' is not valid"],
  [{ kind: 'shelly', host: 'u:p@a' }, "'host' is not valid"],
  [{ kind: 'shelly', host: 'a:99999' }, "'host' is not valid"],
  [{ kind: 'shelly', host: 'a', timeoutS: 0 }, "'timeoutS' is not valid"],
  [{ kind: 'shelly', host: 'a', channel: 1.5 }, "'channel' is not valid"],
  [{ kind: 'shelly', host: 'a', name: 'a b' }, "'name' is not valid"],
  [{ kind: 'shelly', host: 'a', pasword: 'x' }, "unknown field 'pasword'"],
  [{ kind: 'home-assistant', host: 'a', token: 'x\n', powerEntity: 'p' }, "'token' is not valid"],
  [{ kind: 'fritz-dect', host: 'a', password: '', ain: 'zzz' }, "'ain' is not valid"],
  [{ kind: 'http-json', url: 'file:///etc/passwd' }, "'url' is not valid"],
  [{ kind: 'http-json', url: 'http://u:p@a/' }, "'url' is not valid"],
  [{ kind: 'http-json', url: 'http://a/', headers: { a: 1 } }, "'headers' is not valid"],
  [{ kind: 'http-json', url: 'http://a/', headers: { a: 'b\n' } }, "'headers' is not valid"],
])('the config %j is refused by name', (config, message) => {
  expect(() => parseWallConfig(config)).toThrow(
    expect.objectContaining({ code: 'usage-invalid', message: expect.stringContaining(message) }),
  )
})

test('fields that are undefined are left out', () => {
  const config = { kind: 'shelly', host: 'a', password: undefined }
  expect(parseWallConfig(config)).toStrictEqual({ kind: 'shelly', host: 'a' })
})

// No lone surrogates: they have no percent code.
const text = fc.string({ unit: 'grapheme', minLength: 1 })
const login = fc.record({ username: text, password: text })
const socket = fc.record({ host: fc.ipV4(), channel: fc.nat({ max: 31 }) })

test('every user, password and channel comes back from an address', () => {
  fc.assert(
    fc.property(login, socket, ({ username, password }, { host, channel }) => {
      const user = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`
      const config = { kind: 'tasmota', host, username, password, channel }
      expect(parseWallUrl(`tasmota://${user}@${host}?channel=${channel}`)).toEqual(config)
    }),
  )
})

test('whatever comes in, only usage-invalid comes out, without the secret', () => {
  const secret = 'secret-7f3a'
  const kinds = fc.constantFrom('shelly', 'tapo', 'kasa', 'esphome', 'http-json+http')
  fc.assert(
    fc.property(kinds, fc.string(), (kind, rest) => {
      try {
        parseWallUrl(`${kind}://u:${secret}@${rest}`)
      } catch (error) {
        expect(error).toBeInstanceOf(EnergyBenchError)
        expect(error).toMatchObject({ code: 'usage-invalid' })
        expect(error).not.toHaveProperty('cause')
        expect(String(error)).not.toContain(secret)
      }
    }),
  )
})

test('any data is a config or usage-invalid', () => {
  const fields = fc.record(
    { kind: fc.constantFrom('shelly', 'tapo', 'http-json', 'esphome'), host: fc.anything() },
    { requiredKeys: ['kind'] },
  )
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fields), (value) => {
      try {
        expect(parseWallConfig(value)).toHaveProperty('kind')
      } catch (error) {
        expect(error).toMatchObject({ code: 'usage-invalid' })
      }
    }),
  )
})

import type { WallConfig, WallKind } from './config.js'
import { basicHeader } from './digest.js'
import { invalid, isKind, kindsFix, parseWallConfig } from './parse-config.js'

type Fields = Record<string, unknown>

/** Fields that are numbers in a config. */
const NUMBERS = ['channel', 'energyDecimals', 'timeoutS']
/** Field that the path of the address stands for. */
const PATH_FIELD: Readonly<Partial<Record<WallKind, string>>> = {
  kasa: 'childId',
  'home-assistant': 'powerEntity',
  esphome: 'powerSensor',
  'fritz-dect': 'ain',
}

/**
 * Reads the short form of a config: `kind://user:password@host:port/path?field=value`.
 *
 * The path is the entity of Home Assistant (whose token stands in place of the user), the sensor of ESPHome, the AIN
 * of a FRITZ!DECT plug, or the child id of a Kasa strip. `https` for Home Assistant is `home-assistant+https`. For
 * JSON the fields stand after `#`: `http-json+http://host/path#power=/a/b&powerUnit=kW`.
 *
 * @example
 * parseWallUrl('tapo://me%40example.org:secret@192.168.1.9?name=desk')
 */
export function parseWallUrl(text: string): WallConfig {
  const [, scheme = '', transport] = /^([a-z0-9-]+)(?:\+(https?))?:\/\//.exec(text) ?? []
  if (!isKind(scheme)) throw invalid('the address of the wall plug has no known kind', kindsFix())
  const isPlain = transport === undefined
  const takesTransport = scheme === 'http-json' || scheme === 'home-assistant'
  if (scheme === 'http-json' ? isPlain : !isPlain && !takesTransport) {
    throw invalid(
      `${scheme}: the address does not start right`,
      'Write kind://host, or http-json+http://host/path#power=/pointer.',
    )
  }
  const rest = text.slice(text.indexOf('://'))
  const url = parseUrl(`${scheme === 'http-json' ? transport : 'wall'}${rest}`, scheme)
  if (scheme === 'http-json') return parseWallConfig(jsonFields(url))
  const secure = transport === 'https' ? { isSecure: true } : {}
  return parseWallConfig({ kind: scheme, ...secure, ...hostFields(url, scheme) })
}

/** Without the cause, whose text holds the address and so the password. */
function parseUrl(text: string, kind: string): URL {
  if (!URL.canParse(text)) {
    throw invalid(
      `${kind}: the address cannot be read`,
      'Write kind://user:password@host:port, with special characters as %XX.',
    )
  }
  return new URL(text)
}

function hostFields(url: URL, kind: WallKind): Fields {
  const username = decode(url.username, 'user')
  const password = decode(url.password, 'password')
  const path = decode(url.pathname.replace(/^\//, ''), 'path')
  return {
    host: url.host,
    ...userField(kind, username),
    ...(password === '' ? {} : { password }),
    ...(path === '' ? {} : { [PATH_FIELD[kind] ?? 'path']: path }),
    ...queryFields(url.searchParams),
  }
}

function userField(kind: WallKind, username: string): Fields {
  // The user of a Shelly Gen2 is always admin, so one in the address is no news.
  if (username === '' || (kind === 'shelly' && username === 'admin')) return {}
  return kind === 'home-assistant' ? { token: username } : { username }
}

function queryFields(query: URLSearchParams): Fields {
  const fields: Fields = {}
  for (const [key, value] of query) fields[key] = NUMBERS.includes(key) ? numberIn(value) : value
  return fields
}

/** An empty or wrong number stays a text, and is refused by name later. */
function numberIn(value: string): number | string {
  return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
}

function jsonFields(url: URL): Fields {
  const { power, powerUnit, energy, energyUnit, ...others } = queryFields(
    new URLSearchParams(url.hash.slice(1)),
  )
  const username = decode(url.username, 'user')
  const password = decode(url.password, 'password')
  const bare = new URL(url.href)
  bare.username = ''
  bare.password = ''
  bare.hash = ''
  const headers =
    username === '' ? {} : { headers: { authorization: basicHeader({ username, password }) } }
  return {
    kind: 'http-json',
    url: bare.href,
    ...headers,
    ...(power === undefined ? {} : { power: { pointer: power, unit: powerUnit ?? 'W' } }),
    ...(energy === undefined ? {} : { energy: { pointer: energy, unit: energyUnit ?? 'kWh' } }),
    ...others,
  }
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(`the ${part} in the address has a wrong %XX`, 'Write a % itself as %25.')
  }
}

import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { HomeAssistantConfig } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { createHttp, type WallHttp } from './http.js'
import { type JsonReply, requestJson } from './http-json-reply.js'
import { asNumber, fieldAt, stepShown } from './json-field.js'
import type { WallContext, WallDriver, WallReading } from './reading.js'
import { isEnergyUnit, isPowerUnit, JOULES_IN, WATTS_IN } from './units.js'

const DEFAULT_PORT = 8123
const HINTS = {
  denied: 'Make a new long-lived access token in the profile page of Home Assistant.',
  missing: 'Check the host, and copy the entity id from the developer tools of Home Assistant.',
}

/** Reads `GET /api/states/<entity>` for power, for energy, or for both. */
export function createHomeAssistantDriver(
  config: HomeAssistantConfig,
  context: WallContext,
): WallDriver {
  const host = /:\d+$/.test(config.host) ? config.host : `${config.host}:${DEFAULT_PORT}`
  const http = createHttp(context, `${config.isSecure === true ? 'https' : 'http'}://${host}`)
  const state = (entity: string) => requestState(http, config.token, entity)
  return async () => ({
    ...(config.powerEntity === undefined ? {} : powerReading(await state(config.powerEntity))),
    ...(config.energyEntity === undefined ? {} : energyReading(await state(config.energyEntity))),
  })
}

function requestState(http: WallHttp, token: string, entity: string): Promise<JsonReply> {
  const path = `/api/states/${encodeURIComponent(entity)}`
  return requestJson(http, { path, headers: { authorization: `Bearer ${token}` } }, HINTS)
}

function powerReading({ value, timeS }: JsonReply): WallReading {
  // From memory: an unchanged value moves only the first of the two, and only newer versions send that one.
  const stamp = fieldAt(value, 'last_reported') ?? fieldAt(value, 'last_updated')
  return {
    powerW: convert(value, powerFactor),
    timeS,
    ...(typeof stamp === 'string' ? { stamp } : {}),
  }
}

/** One step of a counter in MWh can be a kilowatt-hour, for which it stands still for hours. */
function energyReading({ value }: JsonReply): WallReading {
  const energyJ = convert(value, energyFactor)
  if (isUnavailable(energyJ)) return { energyJ }
  const energyStepJ = stepShown(fieldAt(value, 'state')) * energyFactor(unitOf(value))
  return { energyJ, energyStepJ }
}

function unitOf(value: unknown): string {
  return String(fieldAt(value, 'attributes', 'unit_of_measurement'))
}

function convert(value: unknown, factorOf: (unit: string) => number): number | Unavailable {
  const entity = String(fieldAt(value, 'entity_id') ?? 'the entity')
  const state = fieldAt(value, 'state')
  if (state === undefined) throw mismatch("the answer has no 'state'", HINTS.missing)
  const number = asNumber(state)
  if (number === undefined) {
    return new WallFailure('no-data', {
      detail: `Home Assistant says that ${entity} is '${String(state)}'`,
      fix: 'Check the device behind the entity in Home Assistant.',
    }).unavailable
  }
  return number * factorOf(unitOf(value))
}

function powerFactor(unit: string): number {
  if (isPowerUnit(unit)) return WATTS_IN[unit]
  throw wrongUnit(unit, 'powerEntity', Object.keys(WATTS_IN))
}

function energyFactor(unit: string): number {
  if (isEnergyUnit(unit)) return JOULES_IN[unit]
  throw wrongUnit(unit, 'energyEntity', Object.keys(JOULES_IN))
}

function wrongUnit(unit: string, field: string, units: readonly string[]): WallFailure {
  return mismatch(
    `the unit at 'attributes.unit_of_measurement' is '${unit}', not one of ${units.join(', ')}`,
    `Give another entity as ${field}.`,
  )
}

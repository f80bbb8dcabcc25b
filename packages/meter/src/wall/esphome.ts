import type { EsphomeConfig } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { createHttp, type WallHttp } from './http.js'
import { withAuth } from './http-auth.js'
import { requestJson } from './http-json-reply.js'
import { asNumber, fieldAt, stepShown } from './json-field.js'
import type { WallContext, WallDriver } from './reading.js'
import { isEnergyUnit, isPowerUnit, JOULES_IN, WATTS_IN } from './units.js'

const HINTS = {
  denied: 'Give the user name and password from the web_server part of the ESPHome file.',
  missing:
    'Check the host, that web_server is on, and the sensor: its name as shown on the web page (its object id before ESPHome 2026.7).',
}

interface Quantity {
  readonly value: number
  /** Smallest step that the value shows. */
  readonly step: number
  readonly state: string
  /** Empty where the state names none. */
  readonly unit: string
  readonly timeS: number
}

/**
 * Reads `GET /sensor/<name>` of the ESPHome web server for power, for energy, or for both.
 *
 * From memory: a sensor without a value says `NA`. Whether the server asks for Basic or Digest depends on its
 * platform, so both are answered.
 */
export function createEsphomeDriver(config: EsphomeConfig, context: WallContext): WallDriver {
  const { username = 'admin', password } = config
  const credentials = password === undefined ? undefined : { username, password }
  const http = withAuth(createHttp(context, `http://${config.host}`), credentials)
  return async () => ({
    ...(config.powerSensor === undefined ? {} : await readPower(http, config.powerSensor)),
    ...(config.energySensor === undefined ? {} : await readEnergy(http, config.energySensor)),
  })
}

async function readPower(http: WallHttp, sensor: string) {
  const { value, state, unit, timeS } = await readSensor(http, sensor)
  if (!isPowerUnit(unit)) throw wrongUnit({ state, unit, field: 'powerSensor' }, WATTS_IN)
  return { powerW: value * WATTS_IN[unit], timeS }
}

async function readEnergy(http: WallHttp, sensor: string) {
  const { value, step, state, unit } = await readSensor(http, sensor)
  if (!isEnergyUnit(unit)) throw wrongUnit({ state, unit, field: 'energySensor' }, JOULES_IN)
  return { energyJ: value * JOULES_IN[unit], energyStepJ: step * JOULES_IN[unit] }
}

/** The unit is only in the text of the state, for example `12.3 W`. */
async function readSensor(http: WallHttp, sensor: string): Promise<Quantity> {
  const path = `/sensor/${encodeURIComponent(sensor)}`
  const { value: answer, timeS } = await requestJson(http, { path }, HINTS)
  const state = fieldAt(answer, 'state')
  if (typeof state !== 'string') throw mismatch("the answer has no text at 'state'", HINTS.missing)
  const [, number, unit = ''] = /^(\S+)(?:\s+(\S+))?$/.exec(state.trim()) ?? []
  const exact = asNumber(fieldAt(answer, 'value'))
  const value = exact ?? asNumber(number)
  if (value === undefined) {
    throw new WallFailure('no-data', {
      detail: `the ESPHome sensor '${sensor}' has no value ('${state}')`,
      fix: 'Wait for the first update of the sensor, or check its wiring.',
    })
  }
  return { value, step: stepShown(exact ?? number), state, unit, timeS }
}

interface WrongUnit {
  readonly state: string
  readonly unit: string
  readonly field: string
}

/** A unit that is missing is not guessed: the same number may be watts, kilowatts or a power factor. */
function wrongUnit({ state, unit, field }: WrongUnit, known: object): WallFailure {
  const units = Object.keys(known).join(', ')
  if (unit !== '') {
    const detail = `the unit at 'state' is '${unit}', not one of ${units}`
    return mismatch(detail, `Give another sensor as ${field}.`)
  }
  return mismatch(
    `the state '${state}' has no unit, of ${units}`,
    'Set unit_of_measurement of the sensor in the ESPHome file.',
  )
}

import type { ShellyConfig } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { createHttp } from './http.js'
import { withAuth } from './http-auth.js'
import { requestJson } from './http-json-reply.js'
import { asNumber, fieldAt } from './json-field.js'
import type { WallContext, WallDriver, WallReading } from './reading.js'
import { JOULES_IN } from './units.js'

const HINTS = {
  denied: "Give the password that is set on the Shelly; its user is always 'admin'.",
  missing: "Check the host. A Shelly of the first generation needs the kind 'shelly-gen1'.",
}

/**
 * Component, its field of power (W), then component and path of its counter (Wh). The counter `aenergy` also counts what
 * was given back to the net, which `ret_aenergy` counts alone; that of an EM does not.
 */
const COMPONENTS = [
  ['switch', 'apower', 'switch', ['aenergy', 'total'], ['ret_aenergy', 'total']],
  ['pm1', 'apower', 'pm1', ['aenergy', 'total'], ['ret_aenergy', 'total']],
  ['em1', 'act_power', 'em1data', ['total_act_energy'], undefined],
] as const

/**
 * Reads `GET /rpc/Shelly.GetStatus` of a Shelly Gen2 or later, which lists every component of the device.
 *
 * From memory, not from its documentation: power is null while the meter has an error, and the counter can move as
 * rarely as once a minute.
 */
export function createShellyDriver(config: ShellyConfig, context: WallContext): WallDriver {
  const { password, channel = 0 } = config
  const credentials = password === undefined ? undefined : { username: 'admin', password }
  const http = withAuth(createHttp(context, `http://${config.host}`), credentials)
  return async () => {
    const { value, timeS } = await requestJson(http, { path: '/rpc/Shelly.GetStatus' }, HINTS)
    return { ...componentReading(value, channel), timeS }
  }
}

function componentReading(status: unknown, channel: number): WallReading {
  const component = COMPONENTS.find(([name]) => fieldAt(status, `${name}:${channel}`) !== undefined)
  if (component === undefined) {
    throw mismatch(
      `the answer has none of ${COMPONENTS.map(([name]) => `'${name}:${channel}'`).join(', ')}`,
      'Check that the host is a Shelly Gen2 or later with a power meter, and the channel.',
    )
  }
  const [name, powerField, counter, path, returned] = component
  const power = fieldAt(status, `${name}:${channel}`, powerField)
  if (power === undefined) throw noMeter(`'${name}:${channel}' has no '${powerField}'`)
  const powerW = asNumber(power)
  if (powerW === undefined) throw noValue(`'${name}:${channel}.${powerField}'`)
  const counted = fieldAt(status, `${counter}:${channel}`)
  const wattHours = asNumber(fieldAt(counted, ...path))
  if (wattHours === undefined) return { powerW }
  const returnedWh = returned === undefined ? 0 : (asNumber(fieldAt(counted, ...returned)) ?? 0)
  return { powerW, energyJ: (wattHours - returnedWh) * JOULES_IN.Wh }
}

function noMeter(what: string): WallFailure {
  return new WallFailure('not-supported', {
    detail: `this Shelly does not measure power: ${what}`,
    fix: 'Use a model with a power meter; its name has PM, or Plug, in it.',
  })
}

/** The device sends null while its meter has an error. */
function noValue(field: string): WallFailure {
  return new WallFailure('no-data', {
    detail: `the meter of the Shelly has no value now at ${field}`,
    fix: 'Look for a meter error in the web page of the Shelly, and restart it.',
  })
}

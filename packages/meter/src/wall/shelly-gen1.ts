import type { ShellyGen1Config } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { createHttp } from './http.js'
import { withAuth } from './http-auth.js'
import { requestJson } from './http-json-reply.js'
import { asNumber, fieldAt, numberAt } from './json-field.js'
import type { WallContext, WallDriver, WallReading } from './reading.js'
import { JOULES_IN, JOULES_IN_WATT_MINUTE } from './units.js'

const DEVICE = 'Shelly of the first generation'
const HINTS = {
  denied: 'Give the user name and password that are set under Restrict login in the Shelly app.',
  missing: "Check the host. A Plus, Pro, Gen3 or Gen4 Shelly needs the kind 'shelly'.",
}

/**
 * Reads `GET /status` of a Shelly Gen1.
 *
 * From memory, not from its documentation: models without a meter list one that has no `total` (its power is a
 * number that the user typed in), and `total` starts again at 0 when the device restarts.
 */
export function createShellyGen1Driver(config: ShellyGen1Config, context: WallContext): WallDriver {
  const { username = 'admin', password, channel = 0 } = config
  const credentials = password === undefined ? undefined : { username, password }
  const http = withAuth(createHttp(context, `http://${config.host}`), credentials)
  return async () => {
    const { value, timeS } = await requestJson(http, { path: '/status' }, HINTS)
    return { ...meterReading(value, channel), timeS }
  }
}

function meterReading(status: unknown, channel: number): WallReading {
  const list = ['meters', 'emeters'].find((key) => fieldAt(status, key, channel) !== undefined)
  if (list === undefined) {
    throw mismatch(
      `the answer has no 'meters.${channel}' and no 'emeters.${channel}'`,
      `Check that the host is a ${DEVICE} with a power meter, and the channel.`,
    )
  }
  const meter = fieldAt(status, list, channel)
  if (fieldAt(meter, 'is_valid') === false) {
    throw new WallFailure('no-data', {
      detail: `the meter says that its value is not valid ('${list}.${channel}.is_valid')`,
      fix: 'Wait some seconds after the plug starts; restart it if this stays.',
    })
  }
  const total = asNumber(fieldAt(meter, 'total'))
  if (total === undefined) throw noMeter(`'${list}.${channel}' has no 'total'`)
  const joules = list === 'meters' ? JOULES_IN_WATT_MINUTE : JOULES_IN.Wh
  return { powerW: numberAt(status, [list, channel, 'power'], DEVICE), energyJ: total * joules }
}

function noMeter(what: string): WallFailure {
  return new WallFailure('not-supported', {
    detail: `this Shelly does not measure power: ${what}`,
    fix: 'Use a model with a power meter, such as Plug S or 1PM.',
  })
}

import type { TasmotaConfig } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { createHttp } from './http.js'
import { requestJson } from './http-json-reply.js'
import { asNumber, fieldAt, numberAt } from './json-field.js'
import type { WallContext, WallDriver, WallReading } from './reading.js'
import { JOULES_IN } from './units.js'

const DEVICE = 'plug with Tasmota'
const HINTS = {
  denied: 'Give the user name (admin unless changed) and the web password of Tasmota.',
  missing: 'Check the host, and that the web server of Tasmota is on (WebServer 2).',
}

/** Reads `Status 8` of Tasmota, which reports sensors and changes nothing. */
export function createTasmotaDriver(config: TasmotaConfig, context: WallContext): WallDriver {
  const { username = 'admin', password, channel = 0 } = config
  const http = createHttp(context, `http://${config.host}`)
  const login =
    password === undefined
      ? ''
      : `&user=${encodeURIComponent(username)}&password=${encodeURIComponent(password)}`
  const path = `/cm?cmnd=Status%208${login}`
  return async () => {
    const { value, timeS } = await requestJson(http, { path }, HINTS)
    refuseWarning(value)
    return { ...energyReading(value, channel), timeS }
  }
}

/** Tasmota before 8.2.3 answers a wrong password with 200 and a warning. */
function refuseWarning(value: unknown): void {
  if (fieldAt(value, 'WARNING') === undefined) return
  throw new WallFailure('permission-denied', {
    detail: 'Tasmota asks for another user name or password',
    fix: HINTS.denied,
  })
}

function energyReading(value: unknown, channel: number): WallReading {
  const sensors = fieldAt(value, 'StatusSNS')
  if (sensors !== undefined && fieldAt(sensors, 'ENERGY') === undefined) {
    throw new WallFailure('not-supported', {
      detail: "this plug does not measure power: 'StatusSNS' has no 'ENERGY'",
      fix: 'Use a plug with a power meter, or set the right template for it in Tasmota.',
    })
  }
  const power = fieldAt(sensors, 'ENERGY', 'Power')
  const hasSockets = Array.isArray(power)
  if (!hasSockets && power !== undefined && channel > 0) {
    const detail = `the answer has one 'ENERGY.Power', and no socket ${channel}`
    throw mismatch(detail, 'Leave the channel out; this plug counts all its sockets together.')
  }
  const socket = hasSockets ? [channel] : []
  const energyPath = ['ENERGY', 'Total', ...socket]
  const kilowattHours = asNumber(fieldAt(sensors, ...energyPath))
  const stamp = fieldAt(sensors, 'Time')
  return {
    powerW: numberAt(value, ['StatusSNS', 'ENERGY', 'Power', ...socket], DEVICE),
    // With several sockets and one total, the counter is not that of this socket.
    ...(kilowattHours === undefined ? {} : { energyJ: kilowattHours * JOULES_IN.kWh }),
    ...(typeof stamp === 'string' ? { stamp } : {}),
  }
}

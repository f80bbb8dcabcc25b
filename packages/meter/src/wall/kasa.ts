import type { KasaConfig } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { parseJson } from './http-json-reply.js'
import { asNumber, fieldAt } from './json-field.js'
import { askKasa } from './kasa-socket.js'
import type { WallContext, WallDriver, WallReading } from './reading.js'
import { JOULES_IN, WATTS_IN } from './units.js'

/** Reads `emeter.get_realtime` of a Kasa plug. No other command is ever sent. */
export function createKasaDriver(config: KasaConfig, context: WallContext): WallDriver {
  const socket = config.childId === undefined ? {} : { context: { child_ids: [config.childId] } }
  const request = JSON.stringify({ ...socket, emeter: { get_realtime: {} } })
  return async () => {
    const startS = context.now()
    const answer = await askKasa(context, config.host, request)
    const timeS = (startS + context.now()) / 2
    return { ...meterReading(parseJson(answer, config.host)), timeS }
  }
}

function meterReading(answer: unknown): WallReading {
  const realtime = fieldAt(answer, 'emeter', 'get_realtime')
  const code = fieldAt(realtime ?? fieldAt(answer, 'emeter'), 'err_code')
  if (typeof code === 'number' && code !== 0) throw refused(code)
  const powerW = firstOf(realtime, [
    ['power_mw', WATTS_IN.mW],
    ['power', WATTS_IN.W],
  ])
  if (powerW === undefined) {
    throw mismatch(
      "the answer has no number at 'emeter.get_realtime.power_mw' and none at '…power'",
      'Check that the host is a Kasa plug with a meter; a strip needs childId.',
    )
  }
  const energyJ = firstOf(realtime, [
    ['total_wh', JOULES_IN.Wh],
    ['total', JOULES_IN.kWh],
  ])
  return energyJ === undefined ? { powerW } : { powerW, energyJ }
}

/** Newer hardware gives whole small units, the first HS110 gives decimals of large ones. */
function firstOf(value: unknown, fields: readonly (readonly [string, number])[]) {
  for (const [field, factor] of fields) {
    const number = asNumber(fieldAt(value, field))
    if (number !== undefined) return number * factor
  }
  return
}

/** A plug without a meter refuses the whole module; from memory, its code is -1. */
function refused(code: number): WallFailure {
  return new WallFailure('not-supported', {
    detail: `this plug refuses to give its power (err_code ${code})`,
    fix: 'Use a model with a meter, such as HS110, KP115 or KP125; a strip needs childId.',
  })
}

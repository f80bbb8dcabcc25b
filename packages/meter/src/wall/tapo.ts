import type { TapoConfig } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { createHttp, type WallHttp } from './http.js'
import { type JsonReply, parseJson } from './http-json-reply.js'
import { asNumber, fieldAt } from './json-field.js'
import { klapAuthHash } from './klap.js'
import type { WallContext, WallDriver } from './reading.js'
import { openTapoSession, type TapoSession } from './tapo-session.js'
import { WATTS_IN } from './units.js'

/** Methods that give power in mW, in the order of trying; newer plugs leave the field out of the first. */
const METHODS = [
  ['get_energy_usage', 'current_power'],
  ['get_emeter_data', 'power_mw'],
] as const
const SESSION_TIMEOUT_CODE = 9999

/**
 * Reads the power of a Tapo plug over KLAP version 2.
 *
 * The protocol has no public documentation; this follows what open clients do. From memory: the code 9999 for an
 * ended session. The counters of the plug start again every day, so they are not used.
 */
export function createTapoDriver(config: TapoConfig, context: WallContext): WallDriver {
  const http = createHttp(context, `http://${config.host}`)
  const ask = createAsk(http, klapAuthHash(config.username, config.password))
  return async () => {
    const codes: string[] = []
    for (const [method, field] of METHODS) {
      const { value, timeS } = await ask(method)
      const milliwatts = asNumber(fieldAt(value, 'result', field))
      if (milliwatts !== undefined) return { powerW: milliwatts * WATTS_IN.mW, timeS }
      codes.push(`${method}: error_code ${String(fieldAt(value, 'error_code'))}`)
    }
    throw noMeter(codes)
  }
}

/** Logs in when there is no session, and once more when the session has ended. */
function createAsk(http: WallHttp, authHash: Buffer): (method: string) => Promise<JsonReply> {
  let session: TapoSession | undefined
  const tryOnce = async (request: string): Promise<JsonReply | undefined> => {
    session ??= await openTapoSession(http, authHash)
    const answer = await session.ask(request)
    if (answer === undefined) return
    const value = parseJson(answer.text, http.host)
    if (fieldAt(value, 'error_code') === SESSION_TIMEOUT_CODE) return
    return { value, timeS: answer.timeS }
  }
  return async (method) => {
    const request = JSON.stringify({ method })
    const tries = session === undefined ? 1 : 2
    for (let count = 0; count < tries; count += 1) {
      const reply = await tryOnce(request)
      if (reply !== undefined) return reply
      session = undefined
    }
    throw mismatch(`${http.host} ended the session at once`, 'Close other apps that use the plug.')
  }
}

function noMeter(codes: readonly string[]): WallFailure {
  return new WallFailure('not-supported', {
    detail: `this plug gives no power (${codes.join('; ')})`,
    fix: 'Use a model with a meter, such as P110 or P115.',
  })
}

import type { FritzDectConfig } from './config.js'
import { mismatch, WallFailure } from './failure.js'
import { loginFritz } from './fritz-login.js'
import { createHttp, type WallHttp, type WallReply } from './http.js'
import { checkStatus } from './http-json-reply.js'
import { asNumber } from './json-field.js'
import type { WallContext, WallDriver } from './reading.js'
import { JOULES_IN, WATTS_IN } from './units.js'

const PATH = '/webservices/homeautoswitch.lua'
const HINTS = {
  denied: 'Give the user of the FRITZ!Box the right Smart Home.',
  missing: 'Check that the host is a FRITZ!Box with Smart Home.',
}

type Command = (name: 'getswitchpower' | 'getswitchenergy') => Promise<WallReply>

/** Reads power (mW) and energy (Wh) of a FRITZ!DECT plug through the AHA interface of the FRITZ!Box. */
export function createFritzDectDriver(config: FritzDectConfig, context: WallContext): WallDriver {
  const http = createHttp(context, `http://${config.host}`)
  const command = createCommand(http, config)
  return async () => {
    const power = await command('getswitchpower')
    const energy = await command('getswitchenergy')
    return {
      powerW: numberIn(power, http, config) * WATTS_IN.mW,
      energyJ: numberIn(energy, http, config) * JOULES_IN.Wh,
      timeS: power.timeS,
    }
  }
}

/** Logs in when there is no session, and once more when the box says that it has ended (403). */
function createCommand(http: WallHttp, config: FritzDectConfig): Command {
  let session: string | undefined
  const ain = config.ain.replace(/\s+/g, '')
  const tryOnce = async (name: string): Promise<WallReply> => {
    session ??= await loginFritz(http, config)
    const query = new URLSearchParams({ ain, switchcmd: name, sid: session })
    return http.send({ path: `${PATH}?${query.toString()}` })
  }
  return async (name) => {
    const isOldSession = session !== undefined
    const reply = await tryOnce(name)
    if (reply.status !== 403) return reply
    session = undefined
    return isOldSession ? tryOnce(name) : reply
  }
}

/** An unknown plug gets HTTP 400, one out of reach the text `inval`. The first is from memory. */
function numberIn(reply: WallReply, http: WallHttp, config: FritzDectConfig): number {
  const text = reply.body.toString('utf8').trim()
  if (reply.status === 400) throw absent(config, 'is not known to the box (HTTP 400)')
  checkStatus(reply, `${http.host}${PATH}`, HINTS)
  if (text === 'inval') throw absent(config, "is not connected to the box ('inval')")
  const number = asNumber(text)
  if (number !== undefined) return number
  throw mismatch(
    `${http.host}${PATH} answered no number (${text.length} characters)`,
    HINTS.missing,
  )
}

function absent(config: FritzDectConfig, what: string): WallFailure {
  return new WallFailure('no-device', {
    detail: `the plug with AIN ${config.ain} ${what}`,
    fix: 'Check the AIN printed on the plug, and that the plug has power and DECT reception.',
  })
}

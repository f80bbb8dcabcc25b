import { createHash, pbkdf2 as pbkdf2Callback } from 'node:crypto'
import { promisify } from 'node:util'
import { mismatch, WallFailure } from './failure.js'
import type { WallHttp } from './http.js'
import { checkStatus } from './http-json-reply.js'

const pbkdf2 = promisify(pbkdf2Callback)
const PATH = '/login_sid.lua?version=2'
const NO_SESSION = /^0+$/
/** Real boxes ask for some 66 000 rounds in all; more than this would only hold the machine. */
const MAX_ROUNDS = 2_000_000
const HINTS = {
  denied: 'Give a user of the FRITZ!Box with the right Smart Home, and its password.',
  missing: 'Check that the host is the FRITZ!Box, not the plug.',
}

export interface FritzUser {
  /** Left out: the user that the box marks as the last one. */
  readonly username?: string | undefined
  readonly password: string
}

/**
 * Logs in to a FRITZ!Box and returns the session id.
 *
 * From memory: the answer to the challenge goes by POST, and the box marks its usual user as the last one.
 */
export async function loginFritz(http: WallHttp, user: FritzUser): Promise<string> {
  const state = await sessionInfo(http)
  if (state.blockS > 0) throw blocked(http, state.blockS)
  const body = new URLSearchParams({
    username: user.username ?? state.lastUser,
    response: await fritzResponse(state.challenge, user.password),
  })
  const result = await sessionInfo(http, body.toString())
  if (NO_SESSION.test(result.sessionId)) throw refused(http, result.blockS)
  return result.sessionId
}

/** Answer to a challenge: PBKDF2 twice where the challenge starts with `2$`, else MD5. */
export async function fritzResponse(challenge: string, password: string): Promise<string> {
  if (!challenge.startsWith('2$')) return md5Response(challenge, password)
  const [, rounds1, salt1 = '', rounds2, salt2 = ''] = challenge.split('$')
  const total = Number(rounds1) + Number(rounds2)
  if (!(total > 0 && total <= MAX_ROUNDS)) {
    throw mismatch(`the challenge asks for ${total} rounds of PBKDF2`, HINTS.missing)
  }
  const fixed = await pbkdf2(password, Buffer.from(salt1, 'hex'), Number(rounds1), 32, 'sha256')
  const proof = await pbkdf2(fixed, Buffer.from(salt2, 'hex'), Number(rounds2), 32, 'sha256')
  return `${salt2}$${proof.toString('hex')}`
}

function md5Response(challenge: string, password: string): string {
  // From memory: the box replaces characters above U+00FF by a dot.
  const narrow = password.replace(/[\u0100-\uffff]/g, '.')
  const digest = createHash('md5').update(`${challenge}-${narrow}`, 'utf16le').digest('hex')
  return `${challenge}-${digest}`
}

/** Asks for a challenge, or sends the answer to one. */
async function sessionInfo(http: WallHttp, body?: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await http.send(
    body === undefined ? { path: PATH } : { path: PATH, method: 'POST', headers, body },
  )
  checkStatus(reply, `${http.host}/login_sid.lua`, HINTS)
  const xml = reply.body.toString('utf8')
  const sessionId = /<SID>([0-9a-fA-F]+)<\/SID>/.exec(xml)?.[1]
  const challenge = /<Challenge>([^<]+)<\/Challenge>/.exec(xml)?.[1]
  if (sessionId === undefined || challenge === undefined) {
    throw mismatch(`${http.host}/login_sid.lua answered no 'SID' and 'Challenge'`, HINTS.missing)
  }
  return {
    sessionId,
    challenge,
    blockS: Number(/<BlockTime>(\d+)<\/BlockTime>/.exec(xml)?.[1] ?? 0),
    lastUser: /<User last="1">([^<]*)<\/User>/.exec(xml)?.[1] ?? '',
  }
}

function blocked(http: WallHttp, blockS: number): WallFailure {
  return new WallFailure('permission-denied', {
    detail: `${http.host} blocks logins for ${blockS} s after a wrong password`,
    fix: 'Correct the password, and wait.',
    retryAfterS: blockS,
  })
}

function refused(http: WallHttp, blockS: number): WallFailure {
  return new WallFailure('permission-denied', {
    detail: `${http.host} refused the user name or the password`,
    fix: HINTS.denied,
    retryAfterS: blockS,
  })
}

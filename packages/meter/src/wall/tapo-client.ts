import { mismatch } from './failure.js'
import type { WallHttp } from './http.js'
import { type JsonReply, parseJson } from './http-json-reply.js'
import { fieldAt } from './json-field.js'
import { openTapoSession, type TapoAccount, type TapoSession } from './tapo-session.js'

/** Asks a Tapo plug, and logs in where that is needed. */
export interface TapoClient {
  version(): Promise<TapoSession['version']>
  ask(request: object): Promise<JsonReply>
}

const SESSION_TIMEOUT_CODE = 9999

/** Logs in when there is no session, and once more when one that has served before is over. */
export function createTapoClient(http: WallHttp, account: TapoAccount): TapoClient {
  let session: TapoSession | undefined
  let hasServed = false
  const login = async (): Promise<TapoSession> => {
    if (session !== undefined) return session
    session = await openTapoSession(http, account)
    hasServed = false
    return session
  }
  const askNow = async (request: string): Promise<JsonReply | undefined> => {
    const answer = await (await login()).ask(request)
    if (answer === undefined) return
    const value = parseJson(answer.text, http.host)
    if (fieldAt(value, 'error_code') === SESSION_TIMEOUT_CODE) return
    hasServed = true
    return { value, timeS: answer.timeS }
  }
  /** Some plugs serve one request a session and then cut the line, so that a failure ends one like a code does. */
  const askServed = async (request: string): Promise<JsonReply | undefined> => {
    const reply = await askNow(request).catch(() => undefined)
    if (reply === undefined) session = undefined
    return reply
  }
  return {
    version: async () => (await login()).version,
    async ask(request) {
      const text = JSON.stringify(request)
      const isServing = session !== undefined && hasServed
      const reply = (isServing ? await askServed(text) : undefined) ?? (await askNow(text))
      if (reply !== undefined) return reply
      session = undefined
      throw mismatch(
        `${http.host} ended the session at once`,
        'Close other apps that use the plug.',
      )
    },
  }
}

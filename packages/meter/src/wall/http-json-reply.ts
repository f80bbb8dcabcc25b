import { mismatch, WallFailure } from './failure.js'
import { pathOnly, type WallHttp, type WallReply, type WallRequest } from './http.js'

/** What to do about the two answers that mean something else on every kind of plug. */
export interface StatusHints {
  /** Fix for 401 and 403. */
  readonly denied: string
  /** Fix for 404 and a redirect. */
  readonly missing: string
}

export interface JsonReply {
  readonly value: unknown
  /** Middle of the request, seconds of the monotonic clock. */
  readonly timeS: number
}

/** Sends the request and parses the answer as JSON; anything but 200 is a failure. */
export async function requestJson(
  http: WallHttp,
  request: WallRequest,
  hints: StatusHints,
): Promise<JsonReply> {
  const reply = await http.send(request)
  const where = `${http.host}${pathOnly(request.path)}`
  checkStatus(reply, where, hints)
  return { value: parseJson(reply.body.toString('utf8'), where), timeS: reply.timeS }
}

/** Throws what a status other than 200 means. */
export function checkStatus(reply: WallReply, where: string, hints: StatusHints): void {
  const { status } = reply
  if (status === 200) return
  const detail = `${where} answered HTTP ${status}`
  if (status === 401 || status === 403) {
    throw new WallFailure('permission-denied', { detail, fix: hints.denied })
  }
  if (status === 404 || (status >= 300 && status < 400)) throw mismatch(detail, hints.missing)
  throw new WallFailure('failed', { detail, fix: 'Restart the plug if this stays.' })
}

/** `where` names the source of the text in the message. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (/[:[,]\s*-?(nan|inf)/i.test(text)) {
      throw new WallFailure('implausible', {
        detail: `${where} answered a number that is none (nan or inf)`,
        fix: 'Calibrate or restart the plug.',
      })
    }
    throw mismatch(
      `${where} did not answer JSON (${text.length} characters)`,
      'Check that the host is the plug, and its kind.',
    )
  }
}

import { randomBytes } from 'node:crypto'
import { mismatch, WallFailure } from './failure.js'
import type { WallHttp, WallReply } from './http.js'
import {
  type KlapKeys,
  type KlapSeeds,
  klapClientProof,
  klapDecrypt,
  klapEncrypt,
  klapKeys,
  klapServerProof,
} from './klap.js'

export interface TapoAnswer {
  readonly text: string
  /** Middle of the request, seconds of the monotonic clock. */
  readonly timeS: number
}

/** A logged-in session with a Tapo plug. */
export interface TapoSession {
  /** Resolves to `undefined` when the plug no longer knows the session. */
  ask(request: string): Promise<TapoAnswer | undefined>
}

const SEED_BYTES = 16
const PROOF_BYTES = 32
const OLD_OR_LOCKED =
  'Check the host and update the plug. In the Tapo app, turn on Third-Party Compatibility where it is offered.'

/** Two handshakes: the plug proves that it knows the password, then the client does. */
export async function openTapoSession(http: WallHttp, authHash: Buffer): Promise<TapoSession> {
  const localSeed = randomBytes(SEED_BYTES)
  const first = await http.send({ path: '/app/handshake1', method: 'POST', body: localSeed })
  if (first.status !== 200 || first.body.length !== SEED_BYTES + PROOF_BYTES) {
    throw mismatch(
      `${http.host}/app/handshake1 answered HTTP ${first.status} with ${first.body.length} bytes`,
      OLD_OR_LOCKED,
    )
  }
  const seeds = { localSeed, remoteSeed: first.body.subarray(0, SEED_BYTES), authHash }
  if (!first.body.subarray(SEED_BYTES).equals(klapServerProof(seeds))) throw wrongPassword(http)
  const cookie = cookieOf(first)
  await sendProof(http, seeds, cookie)
  return createSession(http, klapKeys(seeds), cookie)
}

async function sendProof(http: WallHttp, seeds: KlapSeeds, cookie: string): Promise<void> {
  const { status } = await http.send({
    path: '/app/handshake2',
    method: 'POST',
    headers: { cookie },
    body: klapClientProof(seeds),
  })
  if (status !== 200)
    throw mismatch(`${http.host}/app/handshake2 answered HTTP ${status}`, OLD_OR_LOCKED)
}

function createSession(http: WallHttp, keys: KlapKeys, cookie: string): TapoSession {
  let sequence = keys.firstSequence
  return {
    async ask(request) {
      // The number is a signed 32-bit integer and wraps.
      sequence = (sequence + 1) | 0
      const body = klapEncrypt(keys, sequence, request)
      const path = `/app/request?seq=${sequence}`
      const reply = await http.send({ path, method: 'POST', headers: { cookie }, body })
      const text = reply.status === 200 ? decrypted(keys, sequence, reply) : undefined
      return text === undefined ? undefined : { text, timeS: reply.timeS }
    },
  }
}

function decrypted(keys: KlapKeys, sequence: number, reply: WallReply): string | undefined {
  try {
    return klapDecrypt(keys, sequence, reply.body)
  } catch {
    return
  }
}

/** The plug also sets a TIMEOUT cookie, which it does not want back. */
function cookieOf(reply: WallReply): string {
  const pairs = reply.headers.getSetCookie().flatMap((header) => header.split(';'))
  return pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith('TP_SESSIONID=')) ?? ''
}

function wrongPassword(http: WallHttp): WallFailure {
  return new WallFailure('permission-denied', {
    detail: `${http.host} was set up with another user name or password`,
    fix: 'Give the e-mail address and password of the TP-Link account, with the same capital letters.',
  })
}

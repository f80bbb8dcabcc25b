import { randomBytes } from 'node:crypto'
import { mismatch, WallFailure } from './failure.js'
import type { WallHttp, WallReply } from './http.js'
import {
  type KlapKeys,
  type KlapVersion,
  klapDecrypt,
  klapEncrypt,
  klapKeys,
  klapVersions,
} from './klap.js'

export interface TapoAnswer {
  readonly text: string
  /** Middle of the request, seconds of the monotonic clock. */
  readonly timeS: number
}

/** Account of the owner, as the plug was set up with it. */
export interface TapoAccount {
  readonly username: string
  readonly password: string
}

/** A logged-in session with a Tapo plug. */
export interface TapoSession {
  /** Version of the protocol that the plug proved to speak. */
  readonly version: KlapVersion['version']
  /** Resolves to `undefined` when the plug no longer knows the session. */
  ask(request: string): Promise<TapoAnswer | undefined>
}

const SEED_BYTES = 16
const PROOF_BYTES = 32
const OLD_OR_LOCKED =
  'Check the host and update the plug. In the Tapo app, turn on Third-Party Compatibility where it is offered.'

/** Two handshakes: the plug proves that it knows the password, then the client does. */
export async function openTapoSession(http: WallHttp, account: TapoAccount): Promise<TapoSession> {
  const localSeed = randomBytes(SEED_BYTES)
  const first = await http.send({ path: '/app/handshake1', method: 'POST', body: localSeed })
  if (first.status !== 200 || first.body.length !== SEED_BYTES + PROOF_BYTES) {
    throw mismatch(
      `${http.host}/app/handshake1 answered HTTP ${first.status} with ${first.body.length} bytes`,
      OLD_OR_LOCKED,
    )
  }
  const proven = provenVersion(first.body, { localSeed, account })
  if (proven === undefined) throw wrongPassword(http)
  const { klap, seeds } = proven
  const cookie = cookieOf(first)
  await sendProof(http, klap.clientProof(seeds), cookie)
  return createSession(http, { version: klap.version, keys: klapKeys(seeds), cookie })
}

interface Challenge {
  readonly localSeed: Buffer
  readonly account: TapoAccount
}

/** The version in which the answer of the plug proves that it knows this account. */
function provenVersion(answer: Buffer, { localSeed, account }: Challenge) {
  const remoteSeed = answer.subarray(0, SEED_BYTES)
  const proof = answer.subarray(SEED_BYTES)
  return klapVersions
    .map((klap) => {
      const authHash = klap.authHash(account.username, account.password)
      return { klap, seeds: { localSeed, remoteSeed, authHash } }
    })
    .find(({ klap, seeds }) => proof.equals(klap.serverProof(seeds)))
}

async function sendProof(http: WallHttp, body: Buffer, cookie: string): Promise<void> {
  const { status } = await http.send({
    path: '/app/handshake2',
    method: 'POST',
    headers: { cookie },
    body,
  })
  if (status !== 200)
    throw mismatch(`${http.host}/app/handshake2 answered HTTP ${status}`, OLD_OR_LOCKED)
}

interface SessionFacts {
  readonly version: KlapVersion['version']
  readonly keys: KlapKeys
  readonly cookie: string
}

function createSession(http: WallHttp, { version, keys, cookie }: SessionFacts): TapoSession {
  let sequence = keys.firstSequence
  return {
    version,
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

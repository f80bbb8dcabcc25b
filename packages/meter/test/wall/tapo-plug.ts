import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { PlugHandler, PlugReply, PlugRequest } from './server.js'

const digest = (name: string, ...parts: readonly (Buffer | string)[]) =>
  createHash(name)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()

interface Session {
  readonly cookie: string
  readonly key: Buffer
  readonly vector: Buffer
  readonly signing: Buffer
  proof: Buffer
  served: number
  sequence: number
  isOpen: boolean
}

export interface TapoPlug {
  readonly handler: PlugHandler
  /** Method of every request that could be decrypted, or the module and command of a Kasa plug. */
  readonly methods: string[]
  readonly handshakes: () => number
  /** Forgets the session, as after a day or a restart. */
  forget(): void
}

export interface TapoPlugOptions {
  /** Version of KLAP. Default 2. */
  readonly version?: 1 | 2
  /** Requests that one login is good for; the line is cut at the next one. Default: any number. */
  readonly servesOnly?: number
}

/** What the two versions hash, written down from what open clients send. */
const KLAP = {
  1: {
    auth: ({ username, password }: Account) =>
      digest('md5', digest('md5', username), digest('md5', password)),
    server: (local: Buffer, _: Buffer, auth: Buffer) => digest('sha256', local, auth),
    client: (_: Buffer, remote: Buffer, auth: Buffer) => digest('sha256', remote, auth),
  },
  2: {
    auth: ({ username, password }: Account) =>
      digest('sha256', digest('sha1', username), digest('sha1', password)),
    server: (local: Buffer, remote: Buffer, auth: Buffer) => digest('sha256', local, remote, auth),
    client: (local: Buffer, remote: Buffer, auth: Buffer) => digest('sha256', remote, local, auth),
  },
}

interface Account {
  readonly username: string
  readonly password: string
}

/** A Tapo plug that checks proofs, cookies, signatures and sequence numbers, written apart from the driver. */
export function createTapoPlug(
  account: Account,
  answers: Readonly<Record<string, object>>,
  { version = 2, servesOnly = Number.POSITIVE_INFINITY }: TapoPlugOptions = {},
): TapoPlug {
  const klap = KLAP[version]
  const auth = klap.auth(account)
  const methods: string[] = []
  let session: Session | undefined
  let count = 0

  const handshake1 = (request: PlugRequest): PlugReply => {
    count += 1
    const remote = randomBytes(16)
    session = open(request.body, remote, auth)
    session.proof = klap.client(request.body, remote, auth)
    const body = Buffer.concat([remote, klap.server(request.body, remote, auth)])
    return { body, headers: { 'set-cookie': `${session.cookie};TIMEOUT=86400` } }
  }
  const handshake2 = ({ body, headers }: PlugRequest): PlugReply => {
    if (session === undefined || headers.cookie !== session.cookie) return { status: 403 }
    if (!body.equals(session.proof)) return { status: 403 }
    session.isOpen = true
    return {}
  }
  const ask = (request: PlugRequest): PlugReply => {
    const text = session === undefined ? undefined : readMessage(session, request)
    if (session === undefined || text === undefined) return { status: 403 }
    session.served += 1
    if (session.served > servesOnly) return { isCut: true }
    const method = methodOf(JSON.parse(text))
    methods.push(method)
    return { body: writeMessage(session, answers[method] ?? { error_code: 1002 }) }
  }
  return {
    methods,
    handshakes: () => count,
    forget() {
      session = undefined
    },
    handler(request) {
      if (request.method !== 'POST') return
      if (request.path === '/app/handshake1') return handshake1(request)
      if (request.path === '/app/handshake2') return handshake2(request)
      return request.path.startsWith('/app/request?seq=') ? ask(request) : undefined
    },
  }
}

function methodOf(request: { readonly method?: string; readonly emeter?: object }): string {
  return request.method ?? `emeter.${Object.keys(request.emeter ?? {}).join()}`
}

function open(local: Buffer, remote: Buffer, auth: Buffer): Session {
  const iv = digest('sha256', 'iv', local, remote, auth)
  return {
    cookie: `TP_SESSIONID=${randomBytes(8).toString('hex')}`,
    key: digest('sha256', 'lsk', local, remote, auth).subarray(0, 16),
    vector: iv.subarray(0, 12),
    signing: digest('sha256', 'ldk', local, remote, auth).subarray(0, 28),
    proof: Buffer.alloc(0),
    served: 0,
    sequence: iv.readInt32BE(28),
    isOpen: false,
  }
}

function numbered(prefix: Buffer, sequence: number): Buffer {
  const number = Buffer.alloc(4)
  number.writeInt32BE(sequence)
  return Buffer.concat([prefix, number])
}

function readMessage(session: Session, { path, headers, body }: PlugRequest): string | undefined {
  const sequence = Number(path.split('seq=')[1])
  const isNext = sequence === ((session.sequence + 1) | 0)
  if (!session.isOpen || headers.cookie !== session.cookie || !isNext) return
  session.sequence = sequence
  const signature = digest('sha256', numbered(session.signing, sequence), body.subarray(32))
  if (!signature.equals(body.subarray(0, 32))) return
  const vector = numbered(session.vector, sequence)
  const decipher = createDecipheriv('aes-128-cbc', session.key, vector)
  return Buffer.concat([decipher.update(body.subarray(32)), decipher.final()]).toString()
}

function writeMessage(session: Session, answer: object): Buffer {
  const vector = numbered(session.vector, session.sequence)
  const cipher = createCipheriv('aes-128-cbc', session.key, vector)
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()])
  const signature = digest('sha256', numbered(session.signing, session.sequence), encrypted)
  return Buffer.concat([signature, encrypted])
}

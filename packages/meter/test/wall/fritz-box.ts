import { createHash, pbkdf2Sync } from 'node:crypto'
import type { PlugHandler, PlugReply, PlugRequest } from './server.js'

const CHALLENGES = {
  pbkdf2: '2$1000$0a1b2c3d$200$4e5f6071',
  md5: '1234567z',
}

export interface FritzBox {
  readonly handler: PlugHandler
  readonly logins: () => number
  forget(): void
}

export interface FritzBoxOptions {
  readonly challenge: keyof typeof CHALLENGES
  readonly user: string
  readonly password: string
  readonly ain: string
  readonly answers: Readonly<Record<string, PlugReply>>
  /** Seconds that the box blocks logins from the start. */
  readonly blockS?: number
}

/** A FRITZ!Box with one plug that checks the answers to its challenges, written apart from the driver. */
export function createFritzBox(options: FritzBoxOptions): FritzBox {
  let session = '0000000000000000'
  let logins = 0
  const info = (sid: string, blockS: number): PlugReply => ({
    headers: { 'content-type': 'text/xml' },
    body: `<?xml version="1.0" encoding="utf-8"?><SessionInfo><SID>${sid}</SID><Challenge>${
      CHALLENGES[options.challenge]
    }</Challenge><BlockTime>${blockS}</BlockTime><Rights/><Users><User last="1">${
      options.user
    }</User><User>other</User></Users></SessionInfo>`,
  })
  const login = ({ method, body }: PlugRequest): PlugReply => {
    if (method === 'GET') return info('0000000000000000', options.blockS ?? 0)
    logins += 1
    const form = new URLSearchParams(body.toString())
    const isRight =
      form.get('username') === options.user && form.get('response') === expected(options)
    if (!isRight) return info('0000000000000000', 32)
    session = logins.toString(16).padStart(16, 'a')
    return info(session, 0)
  }
  const command = ({ path }: PlugRequest): PlugReply | undefined => {
    const query = new URL(path, 'http://box').searchParams
    if (query.get('sid') !== session) return { status: 403 }
    if (query.get('ain') !== options.ain) return { status: 400 }
    return options.answers[query.get('switchcmd') ?? '']
  }
  return {
    logins: () => logins,
    forget() {
      session = 'gone'
    },
    handler(request) {
      if (request.path === '/login_sid.lua?version=2') return login(request)
      const isCommand = request.path.startsWith('/webservices/homeautoswitch.lua?')
      return request.method === 'GET' && isCommand ? command(request) : undefined
    },
  }
}

function expected({ challenge, password }: FritzBoxOptions): string {
  if (challenge === 'md5') {
    const text = Buffer.from(`${CHALLENGES.md5}-${password}`, 'utf16le')
    return `${CHALLENGES.md5}-${createHash('md5').update(text).digest('hex')}`
  }
  const fixed = pbkdf2Sync(password, Buffer.from('0a1b2c3d', 'hex'), 1000, 32, 'sha256')
  const proof = pbkdf2Sync(fixed, Buffer.from('4e5f6071', 'hex'), 200, 32, 'sha256')
  return `4e5f6071$${proof.toString('hex')}`
}

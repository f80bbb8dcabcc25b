import { createHash, randomBytes } from 'node:crypto'

/** What a server asks for in `WWW-Authenticate`. */
export interface AuthChallenge {
  readonly scheme: 'basic' | 'digest'
  readonly parameters: Readonly<Record<string, string>>
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** The request that a digest is made for, and how often its nonce was used before. */
export interface DigestUse {
  readonly method: string
  readonly path: string
  readonly count: number
}

/** Reads a Basic challenge, or a Digest one of SHA-256 or MD5; `undefined` for any other. Takes the first of several. */
export function parseChallenge(header: string | null): AuthChallenge | undefined {
  const scheme = /^\s*(basic|digest)\b/i.exec(header ?? '')?.[1]?.toLowerCase()
  if (scheme !== 'basic' && scheme !== 'digest') return
  const parameters = parametersOf(header ?? '')
  const algorithm = parameters.algorithm?.toUpperCase() ?? 'MD5'
  return algorithm === 'MD5' || algorithm === 'SHA-256' ? { scheme, parameters } : undefined
}

function parametersOf(header: string): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [, key = '', quoted, plain = ''] of header.matchAll(
    /(\w+)=(?:"([^"]*)"|([^\s,]+))/g,
  )) {
    parameters[key.toLowerCase()] ??= quoted ?? plain
  }
  return parameters
}

/** Value of the `Authorization` header for Basic (RFC 7617). */
export function basicHeader({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Value of the `Authorization` header for Digest (RFC 7616) with SHA-256 or MD5 and `qop=auth`. */
export function digestHeader(
  challenge: AuthChallenge,
  { username, password }: Credentials,
  use: DigestUse,
): string {
  const { realm = '', nonce = '', opaque, algorithm = 'MD5' } = challenge.parameters
  const hash = (text: string) =>
    createHash(algorithm.toUpperCase() === 'SHA-256' ? 'sha256' : 'md5')
      .update(text)
      .digest('hex')
  const count = use.count.toString(16).padStart(8, '0')
  const clientNonce = randomBytes(16).toString('hex')
  const user = hash(`${username}:${realm}:${password}`)
  const request = hash(`${use.method}:${use.path}`)
  const response = hash(`${user}:${nonce}:${count}:${clientNonce}:auth:${request}`)
  const quoted = `username="${username}", realm="${realm}", nonce="${nonce}", uri="${use.path}", response="${response}"`
  const rest = `qop=auth, nc=${count}, cnonce="${clientNonce}", algorithm=${algorithm}`
  const text = `Digest ${quoted}, ${rest}${opaque === undefined ? '' : `, opaque="${opaque}"`}`
  // `fetch` takes one character a byte.
  return Buffer.from(text, 'utf8').toString('latin1')
}

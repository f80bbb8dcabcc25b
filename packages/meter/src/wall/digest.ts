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

/** Best first. */
const PREFERENCE = ['digest SHA-256', 'digest MD5', 'basic'] as const

/** The safest of the challenges in the header that can be answered: Digest of SHA-256 or MD5, then Basic. */
export function parseChallenge(header: string | null): AuthChallenge | undefined {
  const offers = challengesIn(header ?? '')
  const ranked = PREFERENCE.map((name) => offers.find((offer) => nameOf(offer) === name))
  const best = ranked.find((offer) => offer !== undefined)
  if (best === undefined) return
  return {
    scheme: best.scheme === 'basic' ? 'basic' : 'digest',
    parameters: Object.fromEntries(best.parameters),
  }
}

interface Offer {
  readonly scheme: string
  readonly parameters: Map<string, string>
}

function nameOf({ scheme, parameters }: Offer): string {
  if (scheme !== 'digest') return scheme
  return `digest ${parameters.get('algorithm')?.toUpperCase() ?? 'MD5'}`
}

/** A word without a value begins a challenge; what follows with one belongs to it. */
function challengesIn(header: string): readonly Offer[] {
  const offers: Offer[] = []
  for (const [, key = '', quoted, plain = '', word] of header.matchAll(
    /([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))|([A-Za-z][\w-]*)/g,
  )) {
    if (word !== undefined) offers.push({ scheme: word.toLowerCase(), parameters: new Map() })
    else offers.at(-1)?.parameters.set(key.toLowerCase(), quoted ?? plain)
  }
  return offers
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

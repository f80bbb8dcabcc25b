const keyHeaders = ['authorization', 'proxy-authorization', 'x-api-key', 'api-key']
const secretParameter = /key|token|secret|password/i
const loopback = /^(localhost|127\.[\d.]+|\[::1\])$/

/** Anything shorter is also part of innocent words. */
const shortestSecret = 4

/** What must not come into a file: keys, tokens and cookies of a request, wherever they are repeated. */
export function secretsOf({ headers, url }: Request): readonly string[] {
  const keys = keyHeaders.map((name) => headers.get(name)?.split(' ').at(-1) ?? '')
  const cookies = headers.get('cookie')?.split(/;\s*/).map(valueOfCookie) ?? []
  const { searchParams, username, password } = new URL(url)
  const parameters = [...searchParams].filter(([name]) => secretParameter.test(name))
  const fromUrl = [username, password, ...parameters.map(([, value]) => value)]
  return longEnough([...keys, ...cookies, ...fromUrl])
}

/** Cookies that an answer sets. */
export function cookiesOf({ headers }: Response): readonly string[] {
  return longEnough(headers.getSetCookie().map(valueOfCookie))
}

/** Names of this machine and of that of the server, where they are not those of every machine. */
export function hostNames(url: string, own: string): readonly string[] {
  return longEnough([new URL(url).hostname, own]).filter((name) => !loopback.test(name))
}

function valueOfCookie(cookie: string): string {
  return /=([^;]*)/.exec(cookie)?.[1] ?? ''
}

function longEnough(values: readonly string[]): readonly string[] {
  return values.filter((value) => value.length >= shortestSecret)
}

/** Path and query, with a word in place of every secret. */
export function hidePath(url: string, secrets: readonly string[]): string {
  const { pathname, search } = new URL(url)
  return secrets.reduce(
    (path, secret) => path.replaceAll(encodeURIComponent(secret), 'hidden'),
    `${pathname}${search}`,
  )
}

/** The same chunks with `x` over every byte of a secret, also where it spans two of them. */
export function hideBytes(
  chunks: readonly Uint8Array[],
  secrets: readonly string[],
): readonly Uint8Array[] {
  const all = Buffer.concat(chunks)
  for (const secret of secrets) hideOne(all, Buffer.from(secret))
  let start = 0
  return chunks.map(({ length }) => {
    start += length
    return all.subarray(start - length, start)
  })
}

function hideOne(all: Buffer, secret: Buffer): void {
  for (let at = all.indexOf(secret); at >= 0; at = all.indexOf(secret, at + secret.length)) {
    all.fill('x', at, at + secret.length)
  }
}

/** Addresses of one OpenAI-compatible server. */
export interface ServerAddress {
  /** Without `/v1` and without a slash at the end. */
  readonly rootUrl: string
  /** With `/v1`. */
  readonly apiUrl: string
  /** TCP port. */
  readonly port: number
  /** True when the server runs on this machine. */
  readonly isLocal: boolean
}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])

/** Reads a base URL with or without `/v1`. Throws a TypeError on text that is not a URL. */
export function parseServerAddress(baseUrl: string): ServerAddress {
  const url = new URL(baseUrl)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const rootUrl = `${url.origin}${path}`
  return {
    rootUrl,
    apiUrl: `${rootUrl}/v1`,
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    isLocal: localHosts.has(url.hostname),
  }
}

import { EnergyBenchError } from '@energy-bench/spec'

/** Addresses of one server. */
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

/** Reads a base URL with or without `/v1`. Throws `usage-invalid` on text that is not one. */
export function parseServerAddress(baseUrl: string): ServerAddress {
  const url = urlOf(baseUrl)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const rootUrl = `${url.origin}${path}`
  return {
    rootUrl,
    apiUrl: `${rootUrl}/v1`,
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    isLocal: localHosts.has(url.hostname),
  }
}

function urlOf(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new EnergyBenchError('usage-invalid', `baseUrl is not a web address: "${baseUrl}".`, {
    fix: 'Write it like http://127.0.0.1:8080',
  })
}

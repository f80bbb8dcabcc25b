import { hideBytes, hidePath, secretsOf } from './hide-secrets.js'
import { encodeBytes } from './recorded-bytes.js'
import type { RecordedExchange } from './recording-schema.js'

const headersOfInterest = ['content-type', 'accept']

/** A request as it stands in a file. Leaves the body of `request` unread. */
export async function describeRequest(request: Request): Promise<RecordedExchange['request']> {
  const secrets = secretsOf(request)
  const bytes = new Uint8Array(await request.clone().arrayBuffer())
  return {
    method: request.method,
    path: hidePath(request.url, secrets),
    headers: pickHeaders(request.headers, headersOfInterest),
    ...(bytes.length === 0 ? {} : { body: encodeBytes(hidden(bytes, secrets)) }),
  }
}

function hidden(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  return hideBytes([bytes], secrets)[0] ?? bytes
}

/** The named headers, where they are there. */
export function pickHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

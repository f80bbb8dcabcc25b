import { withDeadline } from './deadline.js'
import { mismatch } from './failure.js'
import type { WallContext } from './reading.js'

export interface WallRequest {
  /** Path with query; may hold a secret, so it is never printed whole. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface WallReply {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Middle of the request, seconds of the monotonic clock. */
  readonly timeS: number
}

/** A hundred times what the most talkative device here says. */
const MAX_BODY_BYTES = 1_000_000

/** HTTP to one host. */
export interface WallHttp {
  /** Host with port, for messages. */
  readonly host: string
  send(request: WallRequest): Promise<WallReply>
}

/** `base` is scheme and host, for example `http://192.168.1.5`. */
export function createHttp(context: WallContext, base: string): WallHttp {
  const { host } = new URL(base)
  return {
    host,
    send: (request) =>
      withDeadline(context, host, async (signal) => {
        const startS = context.now()
        // A redirect is not followed: it could lead to a path that switches something.
        const response = await context.fetch(`${base}${request.path}`, {
          method: request.method ?? 'GET',
          headers: { ...request.headers },
          ...(request.body === undefined ? {} : { body: request.body }),
          redirect: 'manual',
          signal,
        })
        const body = await readBody(response, host)
        const timeS = (startS + context.now()) / 2
        return { status: response.status, headers: response.headers, body, timeS }
      }),
  }
}

/** Reads the answer up to a limit: no plug says more, and what never ends must not fill the memory. */
async function readBody(response: Response, host: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) continue
    throw mismatch(
      `${host} answered more than ${MAX_BODY_BYTES} bytes`,
      'Check that the host is the plug, and its kind.',
    )
  }
  return Buffer.concat(chunks)
}

/** The path without its query, which may hold a password. */
export function pathOnly(path: string): string {
  return path.split('?')[0] ?? path
}

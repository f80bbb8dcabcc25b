import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createReplayFetch, type ReplayOptions } from './create-replay-fetch.js'
import type { Recording } from './recording-schema.js'

/** A local server that answers from a recording. */
export interface RecordingServer extends AsyncDisposable {
  readonly url: string
}

/** Where and how to replay. */
export interface ServeOptions extends ReplayOptions {
  /** Default: any free one. */
  readonly port?: number
}

/**
 * Serves a recording on 127.0.0.1. A request that is not in it is answered with HTTP 501 and the reason.
 *
 * @example
 * await using server = await serveRecording(await loadRecording('exchanges.json'))
 */
export async function serveRecording(
  recording: Recording,
  { port = 0, ...options }: ServeOptions = {},
): Promise<RecordingServer> {
  const replay = createReplayFetch(recording, options)
  const server = createServer((request, response) => void answer(replay, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  replay: typeof globalThis.fetch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    const recorded = await replay(await requestOf(request, gone.signal)).catch(notRecorded)
    response.writeHead(recorded.status, Object.fromEntries(recorded.headers))
    for await (const bytes of recorded.body ?? []) await write(response, bytes)
    response.end()
  } catch {
    // The recorded answer broke off here, or the client went away.
    response.destroy()
  }
}

async function requestOf(request: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', url = '/', headers } = request
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const known = Object.entries(headers).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string'
  })
  const body = parts.length === 0 ? null : Buffer.concat(parts)
  return new Request(`http://127.0.0.1${url}`, { method, headers: known, body, signal })
}

function notRecorded(error: Error): Response {
  return Response.json({ error: { message: error.message } }, { status: 501 })
}

function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlugRequest {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface PlugReply {
  readonly status?: number
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Uint8Array
  /** Cuts the line in place of an answer. */
  readonly isCut?: true
}

/** Answers the requests that a meter may make; `undefined` refuses the request and counts it. */
export type PlugHandler = (
  request: PlugRequest,
) => PlugReply | undefined | Promise<PlugReply | undefined>

export interface PlugServer extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** Every request, `METHOD /path?query`. */
  readonly seen: string[]
  /** Requests that no meter may make. */
  readonly refused: string[]
  handler: PlugHandler
}

/** A plug on 127.0.0.1. */
export async function startPlug(handler: PlugHandler, port = 0): Promise<PlugServer> {
  const seen: string[] = []
  const refused: string[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks),
    }
    const name = `${request.method} ${request.path}`
    seen.push(name)
    const reply = await plug.handler(request)
    if (reply === undefined) refused.push(name)
    send(response, reply ?? { status: 404 })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  const plug: PlugServer = {
    host: `127.0.0.1:${address.port}`,
    port: address.port,
    seen,
    refused,
    handler,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return plug
}

function send(response: ServerResponse, reply: PlugReply): void {
  if (reply.isCut) {
    response.destroy()
    return
  }
  response.writeHead(reply.status ?? 200, reply.headers)
  response.end(reply.body)
}

/** Answers `json` to one GET path and nothing else. */
export function only(path: string, json: unknown): PlugHandler {
  return (request) =>
    request.method === 'GET' && request.path === path ? { body: JSON.stringify(json) } : undefined
}

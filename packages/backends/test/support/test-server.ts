import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** One request as a handler sees it. */
export interface Handled {
  readonly method: string
  readonly path: string
  /** Parsed JSON, empty where there was none. */
  readonly body: Record<string, unknown>
  readonly response: ServerResponse
}

export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Requests so far, in order. */
  readonly requests: Handled[]
  /** Connections that the client closed before their answer was whole. */
  readonly closedEarly: number
}

export interface TestServerOptions {
  /** Default: any free one. */
  readonly port?: number
  /** Speaks HTTPS with a self-signed certificate. */
  readonly tls?: boolean
}

/** A real local HTTP server for one test. */
export async function openTestServer(
  handle: (request: Handled) => void | Promise<void>,
  { port = 0, tls = false }: TestServerOptions = {},
): Promise<TestServer> {
  const requests: Handled[] = []
  let closedEarly = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(request)
    const body = text === '' ? {} : JSON.parse(text)
    const handled = { method: request.method ?? '', path: request.url ?? '', body, response }
    requests.push(handled)
    response.on('close', () => {
      if (!response.writableEnded) closedEarly += 1
    })
    await handle(handled)
  }
  const server = tls ? createSecureServer(certificate(), answer) : createServer(answer)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    get closedEarly() {
      return closedEarly
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function certificate() {
  const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url))
  return { key: read('key.pem'), cert: read('certificate.pem') }
}

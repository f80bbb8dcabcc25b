import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What one path answers: JSON, or text with a status and headers. */
export type Route =
  | { readonly json: unknown; readonly status?: number }
  | {
      readonly text: string
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }

/** Answers of one server by path; `headers` go with every answer, and `fallback` answers all other paths. */
export interface Routes {
  readonly headers?: Readonly<Record<string, string>>
  readonly routes: Readonly<Record<string, Route>>
  readonly fallback?: Route
}

export interface RouteServer {
  readonly url: string
  readonly port: number
  /** Method and path of every request so far. */
  readonly requests: readonly string[]
}

/** Starts a local server that is gone after the test. */
export async function openRouteServer(answers: Routes): Promise<RouteServer> {
  return openServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    const missing: Route = { json: { error: 'not found' }, status: 404 }
    send(response, answers.headers ?? {}, answers.routes[path] ?? answers.fallback ?? missing)
  })
}

/** Starts a local server with a handler of its own. */
export async function openServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<RouteServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, requests }
}

function send(
  response: ServerResponse,
  common: Readonly<Record<string, string>>,
  route: Route,
): void {
  const isJson = 'json' in route
  const own = isJson ? { 'content-type': 'application/json' } : (route.headers ?? {})
  response.writeHead(route.status ?? 200, { ...common, ...own })
  response.end(isJson ? JSON.stringify(route.json) : route.text)
}

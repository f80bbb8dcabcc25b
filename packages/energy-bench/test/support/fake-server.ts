import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface FakeServer {
  readonly url: string
  readonly port: number
  readonly answered: () => number
}

/** A small OpenAI-compatible server that breaks its connections after a number of answers, as a dying engine does. */
export async function startFakeServer(options: {
  readonly failAfter: number
  readonly port?: number
}): Promise<FakeServer> {
  let answered = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') return answerGet(request.url ?? '', response)
    if (answered >= options.failAfter) return void request.socket.destroy()
    answered += 1
    streamAnswer(response)
  })
  const port = await listen(server, options.port ?? 0)
  onTestFinished(() => close(server))
  return { url: `http://127.0.0.1:${port}`, port, answered: () => answered }
}

/** Ends a server and its connections. */
export function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function answerGet(url: string, response: ServerResponse): void {
  if (!url.endsWith('/models')) return void response.writeHead(404).end('{}')
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny', object: 'model' }] }))
}

function streamAnswer(response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream')
  const common = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'tiny' }
  const choice = (delta: unknown, finish: string | null) => ({
    ...common,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
  const chunks = [
    choice({ content: '42' }, null),
    choice({}, 'stop'),
    { ...common, choices: [], usage },
  ]
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
}

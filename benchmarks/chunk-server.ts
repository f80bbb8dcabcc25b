import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server with an OpenAI API and no model, as fast as it can be. */
export interface ChunkServer extends AsyncDisposable {
  readonly url: string
}

const piece = eventOf([{ index: 0, delta: { content: 'word ' }, finish_reason: null }])
const end = eventOf([{ index: 0, delta: {}, finish_reason: 'length' }])

/** Starts a server that answers with as many chunks of text as `max_tokens` says. */
export async function startChunkServer(): Promise<ChunkServer> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return answerGet(request, response)
    void answerChat(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function answerGet({ url }: IncomingMessage, response: ServerResponse): void {
  const isModels = url === '/v1/models'
  response.writeHead(isModels ? 200 : 404, { 'content-type': 'application/json' })
  response.end(isModels ? '{"data":[{"id":"tiny"}]}' : '{}')
}

async function answerChat(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += part
  const chunks: number = JSON.parse(body).max_tokens
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let index = 0; index < chunks; index += 1) response.write(piece)
  response.end(`${end}data: [DONE]\n\n`)
}

function eventOf(choices: readonly unknown[]): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'tiny', choices })}\n\n`
}

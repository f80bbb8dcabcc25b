import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fittedChat, isOverLimit } from './fitted-chat.js'
import { type Exchange, exchange } from './fixtures.js'

export interface ReplayServer extends AsyncDisposable {
  readonly url: string
  /** Bodies of the chat requests so far. */
  readonly requests: Record<string, unknown>[]
  /** Chat connections that the client closed before their end. */
  readonly closedEarly: number
}

export interface ReplayOptions {
  /** What a chat request gets. Default: the recorded stream that fits thinking. */
  readonly chat?: (body: Record<string, unknown>) => Exchange | string
  /** Answers of `GET`, by path; they come one after the other and the last one stays. */
  readonly get?: Readonly<Record<string, readonly string[]>>
  /** Cuts the connection after this many events of a stream. */
  readonly dieAfterEvents?: number
}

const defaultGet: Readonly<Record<string, readonly string[]>> = {
  '/health': ['health-ready'],
  '/props': ['props'],
  '/v1/models': ['models'],
}

/** A local server that answers as the recorded llama-server did. */
export async function openReplayServer(options: ReplayOptions = {}): Promise<ReplayServer> {
  const requests: Record<string, unknown>[] = []
  const asked = new Map<string, number>()
  let closedEarly = 0

  async function answerChat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await textOf(request))
    requests.push(body)
    const found = (options.chat ?? fittingStream)(body)
    const isText = typeof found === 'string'
    const status = isText ? 200 : found.response.status
    const sse = isText ? found : found.response.sse
    response.on('close', () => {
      if (!response.writableEnded) closedEarly += 1
    })
    if (sse !== undefined) return writeStream(response, sse, options.dieAfterEvents)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isText ? {} : found.response.body))
  }

  function answerGet(path: string, response: ServerResponse): void {
    const names = { ...defaultGet, ...options.get }[path] ?? []
    const count = asked.get(path) ?? 0
    asked.set(path, count + 1)
    const name = names[Math.min(count, names.length - 1)]
    const found = name === undefined ? undefined : exchange(name).response
    response.writeHead(found?.status ?? 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found?.body ?? { error: { message: 'File Not Found' } }))
  }

  const server = createServer((request, response) => {
    if (request.method === 'POST') void answerChat(request, response)
    if (request.method === 'GET') answerGet(request.url ?? '', response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
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

/** The recorded stream that fits thinking and the limit, changed as far as the request wants it. */
function fittingStream(body: Record<string, unknown>): string {
  const isOff = JSON.stringify(body.chat_template_kwargs)?.includes('false')
  const usual = chunksOf(isOff ? 'chat-stream-usage-no-think' : 'chat-stream-usage')
  const isCut = !isOff && isOverLimit(usual, body)
  const chunks = fittedChat(isCut ? chunksOf('chat-stream-max-tokens') : usual, body)
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  return `${events.join('')}data: [DONE]\n\n`
}

function chunksOf(name: string): readonly unknown[] {
  const events = exchange(name).response.sse?.split('\n\n') ?? []
  return events.flatMap((event) =>
    event.startsWith('data: {') ? [JSON.parse(event.slice('data: '.length))] : [],
  )
}

async function writeStream(
  response: ServerResponse,
  sse: string,
  dieAfterEvents = Number.POSITIVE_INFINITY,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = sse.split(/(?<=\n\n)/)
  for (const [index, event] of events.entries()) {
    if (index >= dieAfterEvents) return void response.destroy()
    if (response.destroyed) return
    response.write(event)
    // Lets every event travel alone, as a real server does.
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

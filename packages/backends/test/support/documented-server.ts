import { readFileSync } from 'node:fs'
import { fittedChat, isOverLimit } from './fitted-chat.js'
import { type Handled, openTestServer, type TestServer } from './test-server.js'

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly chunks?: readonly unknown[]
}

/** Answers in the documented format of one engine, by route or by what happens. */
export type Exchanges = Readonly<Record<string, Answer>>

export function documented(engine: string): Exchanges {
  const url = new URL(`../fixtures/documented/${engine}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')).exchanges
}

const chatRoute = 'POST /v1/chat/completions'
const notFound: Answer = { status: 404, body: { error: 'Not Found' } }

/** A local server that answers as an engine is documented to. `answers` replaces some, by route. */
export function openDocumentedServer(
  engine: string,
  answers: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<TestServer> {
  const exchanges = documented(engine)
  const asked = new Map<string, number>()
  return openTestServer(({ method, path, body, response }) => {
    const route = `${method} ${path}`
    const count = asked.get(route) ?? 0
    asked.set(route, count + 1)
    const chosen = answers[route] ?? route
    const name = typeof chosen === 'string' ? chosen : chosen[Math.min(count, chosen.length - 1)]
    send(response, name === chatRoute ? chatFor(body, exchanges) : exchanges[name ?? ''])
  })
}

function send(response: Handled['response'], answer: Answer = notFound): void {
  response.writeHead(answer.status, {
    'content-type': answer.chunks === undefined ? 'application/json' : 'text/event-stream',
  })
  response.end(textOf(answer))
}

/** The documented answer that fits thinking and the limit, changed as far as the request wants it. */
function chatFor(body: Record<string, unknown>, exchanges: Exchanges): Answer | undefined {
  const name = body.stream === true ? nameFor(body, exchanges) : 'probe'
  const answer = exchanges[name]
  if (answer?.chunks === undefined) return answer
  return { ...answer, chunks: fittedChat(answer.chunks, body) }
}

function nameFor(body: Record<string, unknown>, exchanges: Exchanges): string {
  const isOff = JSON.stringify(body.chat_template_kwargs)?.includes('false')
  const isNone = body.reasoning_effort === 'none'
  const plain = 'chat without thinking'
  if ((isOff || isNone) && plain in exchanges) return plain
  return isOverLimit(exchanges.chat?.chunks ?? [], body) ? 'chat at its limit' : 'chat'
}

function textOf({ body, chunks }: Answer): string {
  if (chunks === undefined) return body === null ? '' : JSON.stringify(body)
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  return `${events.join('')}data: [DONE]\n\n`
}

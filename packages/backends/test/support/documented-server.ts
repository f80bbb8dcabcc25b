import { readFileSync } from 'node:fs'
import { fittedChat, isOverLimit } from './fitted-chat.js'
import { openTestServer, type TestServer } from './test-server.js'

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
    const usual = path === '/v1/chat/completions' ? chatFor(body, exchanges) : route
    const chosen = answers[route] ?? usual
    const name = typeof chosen === 'string' ? chosen : chosen[Math.min(count, chosen.length - 1)]
    const answer = exchanges[name ?? ''] ?? { status: 404, body: { error: 'Not Found' } }
    response.writeHead(answer.status, {
      'content-type': answer.chunks === undefined ? 'application/json' : 'text/event-stream',
    })
    const isUsual = answers[route] === undefined && body.stream === true
    response.end(textOf(answer, (chunks) => (isUsual ? fittedChat(chunks, body) : chunks)))
  })
}

function chatFor(body: Record<string, unknown>, exchanges: Exchanges): string {
  if (body.stream !== true) return 'probe'
  const isOff = JSON.stringify(body.chat_template_kwargs)?.includes('false')
  const isNone = body.reasoning_effort === 'none'
  const plain = 'chat without thinking'
  const chosen = (isOff || isNone) && plain in exchanges ? plain : 'chat'
  const isOver = isOverLimit(exchanges[chosen]?.chunks ?? [], body)
  return isOver && chosen === 'chat' ? 'chat at its limit' : chosen
}

type Fit = (chunks: readonly unknown[]) => readonly unknown[]

function textOf({ body, chunks }: Answer, fit: Fit): string {
  if (chunks === undefined) return body === null ? '' : JSON.stringify(body)
  const events = fit(chunks).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  return `${events.join('')}data: [DONE]\n\n`
}

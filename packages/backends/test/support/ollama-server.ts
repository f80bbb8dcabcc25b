import { readFileSync } from 'node:fs'
import { numberAt, textAt } from '../../src/server/json-path.js'
import { fittedAnswer, type Piece, type Wish } from './fitted-answer.js'
import { openTestServer, type TestServer } from './test-server.js'

interface Fixture {
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly ndjson?: string
  }
}

export interface OllamaServerOptions {
  /** Name of the fixture that answers a chat, or the text of a stream. */
  readonly chat?: (body: Record<string, unknown>) => string
  /** Fixtures in place of the usual ones, by path. */
  readonly answers?: Readonly<Record<string, string>>
  /** Parts to replace in the body of `/api/show` and of `/api/ps`. */
  readonly show?: Readonly<Record<string, unknown>>
  readonly running?: Readonly<Record<string, unknown>>
}

const usual: Readonly<Record<string, string>> = {
  '/api/version': 'version',
  '/api/tags': 'tags',
  '/api/ps': 'ps',
  '/api/show': 'show',
  '/api/generate': 'load',
}

/** A local server that answers in the documented format of Ollama. */
export function openOllamaServer(options: OllamaServerOptions = {}): Promise<TestServer> {
  return openTestServer(async ({ path, body, response }) => {
    if (path === '/api/chat') return send(response, chatAnswer(options, body))
    const name = options.answers?.[path] ?? usual[path]
    if (name === undefined) return void response.writeHead(404).end('404 page not found')
    send(response, changed(fixture(name), path, options))
  })
}

function chatAnswer({ chat }: OllamaServerOptions, body: Line): Fixture['response'] {
  const chosen = chat?.(body) ?? fittingChat(body)
  return chosen.includes('\n') ? streamOf(chosen) : fixture(chosen)
}

type Line = Record<string, unknown>

/** The documented answer that fits thinking, changed as far as the request wants it. */
function fittingChat({ think, options, messages }: Line): string {
  const lines = linesOf(think === false ? 'chat-no-think' : 'chat-think')
  const end = lines.at(-1)
  const known = {
    pieces: lines.slice(0, -1).map(pieceOf),
    reason: textAt(end, 'done_reason') ?? '',
    inputTokens: numberAt(end, 'prompt_eval_count') ?? 0,
    outputTokens: numberAt(end, 'eval_count') ?? 0,
  }
  const { num_predict, stop = [] } = options as { num_predict: number; stop?: readonly string[] }
  const wish = { messages: messages as Wish['messages'], limit: num_predict, stop }
  const { pieces, reason, inputTokens, outputTokens } = fittedAnswer(known, wish)
  const said = pieces.map(({ kind, text }) => ({
    ...lines[0],
    message: { role: 'assistant', content: '', [kind === 'text' ? 'content' : 'thinking']: text },
  }))
  const counts = { prompt_eval_count: inputTokens, eval_count: outputTokens }
  const last = { ...end, ...counts, done_reason: reason }
  return [...said, last].map((line) => `${JSON.stringify(line)}\n`).join('')
}

function linesOf(name: string): readonly Line[] {
  return (fixture(name).ndjson ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function pieceOf(line: Line): Piece {
  const thinking = textAt(line, 'message', 'thinking')
  if (thinking !== undefined) return { kind: 'thinking', text: thinking }
  return { kind: 'text', text: textAt(line, 'message', 'content') ?? '' }
}

export function fixture(name: string): Fixture['response'] {
  const url = new URL(`../fixtures/ollama/${name}.json`, import.meta.url)
  return (JSON.parse(readFileSync(url, 'utf8')) as Fixture).response
}

function streamOf(ndjson: string): Fixture['response'] {
  return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, ndjson }
}

function changed(
  answer: Fixture['response'],
  path: string,
  { show, running }: OllamaServerOptions,
): Fixture['response'] {
  if (path === '/api/show' && show !== undefined) {
    return { ...answer, body: { ...(answer.body as object), ...show } }
  }
  if (path === '/api/ps' && running !== undefined) {
    const { models } = answer.body as { models: object[] }
    return { ...answer, body: { models: models.map((model) => ({ ...model, ...running })) } }
  }
  return answer
}

function send(
  response: Parameters<Parameters<typeof openTestServer>[0]>[0]['response'],
  { status, headers, body, ndjson }: Fixture['response'],
): void {
  response.writeHead(status, headers)
  response.end(ndjson ?? JSON.stringify(body))
}

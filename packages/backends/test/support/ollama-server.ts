import { readFileSync } from 'node:fs'
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
    if (path === '/api/chat') {
      const chosen = (options.chat ?? fittingChat)(body)
      return send(response, chosen.includes('\n') ? streamOf(chosen) : fixture(chosen))
    }
    const name = options.answers?.[path] ?? usual[path]
    if (name === undefined) return void response.writeHead(404).end('404 page not found')
    send(response, changed(fixture(name), path, options))
  })
}

function fittingChat({ think, options }: Record<string, unknown>): string {
  if (JSON.stringify(options).includes('"num_predict":8')) return 'chat-max-tokens'
  return think === false ? 'chat-no-think' : 'chat-think'
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

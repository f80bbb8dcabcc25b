import type { Backend } from '@energy-bench/spec'
import { createOllama } from '../../src/ollama/index.js'
import { createOpenAI } from '../../src/openai/index.js'
import type { ServerOptions } from '../../src/server/server-options.js'
import { fixture } from './ollama-server.js'
import type { Handled } from './test-server.js'

/** One way in which engines speak, for tests that hold for all of them. */
export interface Protocol {
  readonly name: string
  readonly chatPath: string
  readonly contentType: string
  create(options: ServerOptions): Backend
  /** Answers everything but a chat. */
  answer(request: Handled): void
  /** One piece of an answer. */
  piece(text: string): string
  /** What comes last in a whole answer. */
  readonly ending: string
}

function json(response: Handled['response'], body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const openai: Protocol = {
  name: 'openai',
  chatPath: '/v1/chat/completions',
  contentType: 'text/event-stream',
  create: createOpenAI,
  answer({ path, response }) {
    if (path === '/v1/models') return json(response, { data: [{ id: 'tiny' }] })
    json(response, { error: { message: 'Not Found' } }, 404)
  },
  piece: (content) => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  ending: `${event({
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  })}data: [DONE]\n\n`,
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

const ollamaFixtures: Readonly<Record<string, string>> = {
  '/api/version': 'version',
  '/api/tags': 'tags',
  '/api/show': 'show',
  '/api/generate': 'load',
  '/api/ps': 'ps',
}

const ollama: Protocol = {
  name: 'ollama',
  chatPath: '/api/chat',
  contentType: 'application/x-ndjson',
  create: createOllama,
  answer({ path, response }) {
    const name = ollamaFixtures[path]
    if (name === undefined) return json(response, { error: 'not found' }, 404)
    json(response, fixture(name).body)
  },
  piece: (content) => `${JSON.stringify({ message: { content }, done: false })}\n`,
  ending: `${JSON.stringify({
    message: { content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 5,
    eval_count: 2,
  })}\n`,
}

export const protocols: readonly Protocol[] = [openai, ollama]

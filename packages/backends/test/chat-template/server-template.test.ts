import { describe, expect, test } from 'vitest'
import {
  compareWithServerTemplate,
  createChatTemplate,
  readServerTemplate,
} from '../../src/chat-template/index.js'
import { exchange } from '../support/fixtures.js'
import { openRouteServer, openServer, type Route } from '../support/route-server.js'
import * as templates from '../support/templates.js'

const question = [{ role: 'user', content: 'What is 347 + 86?' }] as const

interface Behaviour {
  readonly props?: unknown
  readonly addsBos?: boolean
  /** What `/apply-template` answers to a body. */
  readonly apply?: (body: Record<string, unknown>) => Route
}

/** Answers as the recorded llama-server did, with its own begin token only where the test says so. */
async function openTemplateServer({ props, addsBos = false, apply = recorded }: Behaviour = {}) {
  const bodies: Record<string, unknown>[] = []
  const server = await openServer((request, response) => {
    const answer = (route: Route) => {
      response.writeHead(route.status ?? 200, { 'content-type': 'application/json' })
      response.end('json' in route ? JSON.stringify(route.json) : route.text)
    }
    if (request.url === '/props') return answer({ json: props ?? exchange('props').response.body })
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const body = JSON.parse(text)
      bodies.push(body)
      if (request.url === '/apply-template') return answer(apply(body))
      const begin = body.add_special && addsBos ? [7] : []
      answer({ json: { tokens: body.content === '' ? begin : [7] } })
    })
  })
  return { ...server, bodies }
}

function recorded(body: Record<string, unknown>): Route {
  const isOff = JSON.stringify(body.chat_template_kwargs)?.includes('false')
  const name = isOff ? 'apply-template-no-think' : 'apply-template-default'
  return { json: exchange(name).response.body }
}

const propsOf = (chat_template: string) => ({
  chat_template,
  bos_token: '<s>',
  eos_token: '</s>',
})

describe('the template of a server', () => {
  test('is read with its special tokens', async () => {
    const server = await openTemplateServer()
    expect(await readServerTemplate({ baseUrl: `${server.url}/v1` })).toEqual({
      template: (exchange('props').response.body as { chat_template: string }).chat_template,
      bosToken: '<|endoftext|>',
      eosToken: '<|im_end|>',
      tokenizerAddsBos: false,
    })
  })

  test('comes with whether the tokenizer adds a begin token', async () => {
    const server = await openTemplateServer({ addsBos: true, props: propsOf(templates.gemma) })
    const { template, ...options } = await readServerTemplate({ baseUrl: server.url })
    expect(options.tokenizerAddsBos).toBe(true)
    expect(createChatTemplate(template, options).render({ messages: question })).toMatch(
      /^<start_of_turn>/,
    )
  })

  test('of a model without special tokens needs no question about them', async () => {
    const props = { chat_template: 'x', bos_token: '', eos_token: '' }
    const server = await openTemplateServer({ props })
    expect(await readServerTemplate({ baseUrl: server.url })).toMatchObject({
      bosToken: '',
      tokenizerAddsBos: false,
    })
    expect(server.bodies).toEqual([])
  })
})

describe('the comparison with a server', () => {
  test.each([
    ['default', undefined],
    ['off', 'off'],
  ] as const)('is the same on the recorded exchanges (thinking %s)', async (_, thinking) => {
    const server = await openTemplateServer()
    const request = { messages: question, ...(thinking === undefined ? {} : { thinking }) }
    const result = await compareWithServerTemplate({ baseUrl: server.url }, request)
    expect(result).toMatchObject({ isSame: true, differsAt: null })
    expect(result.local).toBe(result.server)
    expect(server.bodies.at(-1)).toEqual({
      messages: question,
      chat_template_kwargs: thinking === undefined ? {} : { enable_thinking: false },
    })
  })

  test('finds a server that was started with another template', async () => {
    const server = await openTemplateServer({ apply: () => ({ json: { prompt: '<s>Hi' } }) })
    const mine = createChatTemplate('<s>Hello', { bosToken: '<s>', eosToken: '' })
    const result = await compareWithServerTemplate(
      { baseUrl: server.url },
      { messages: question },
      mine,
    )
    expect(result).toEqual({ isSame: false, local: '<s>Hello', server: '<s>Hi', differsAt: 4 })
  })

  test('finds a text that goes on where the other ends', async () => {
    const server = await openTemplateServer({ apply: () => ({ json: { prompt: 'ab' } }) })
    const mine = createChatTemplate('abc', { bosToken: '', eosToken: '' })
    const result = await compareWithServerTemplate(
      { baseUrl: server.url },
      { messages: question },
      mine,
    )
    expect(result.differsAt).toBe(2)
  })

  test('gives the words of a template that refuses', async () => {
    const server = await openTemplateServer({ props: propsOf(templates.gemma) })
    const messages = [{ role: 'system', content: 'x' }] as const
    await expect(
      compareWithServerTemplate({ baseUrl: server.url }, { messages }),
    ).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining('System role not supported'),
    })
  })

  test('gives the words of a server that refuses', async () => {
    const json = { error: { message: 'Jinja Exception: roles must alternate', code: 500 } }
    const server = await openTemplateServer({ apply: () => ({ json, status: 500 }) })
    await expect(
      compareWithServerTemplate({ baseUrl: server.url }, { messages: question }),
    ).rejects.toMatchObject({
      code: 'backend-failed',
      message: `${server.url}/apply-template answers HTTP 500: Jinja Exception: roles must alternate`,
    })
  })
})

describe('faults', () => {
  test.each([
    ['has no template', { json: { role: 'router' } }, 'has no chat_template'],
    ['wants a key', { json: {}, status: 401 }, 'answers HTTP 401'],
    ['is no llama-server', { text: '<html>' }, 'does not answer with JSON'],
    ['has a page for errors', { text: '<html>', status: 404 }, 'HTTP 404: <html>'],
  ] as const)('a server that %s', async (_, route, message) => {
    const { url } = await openRouteServer({ routes: { '/props': route } })
    await expect(readServerTemplate({ baseUrl: url })).rejects.toMatchObject({
      code: 'backend-failed',
      message: expect.stringContaining(message),
      isRetryable: false,
    })
  })

  test('a server that still loads may be asked again', async () => {
    const loading = exchange('health-loading').response
    const { url } = await openRouteServer({
      routes: { '/props': { json: loading.body, status: loading.status } },
    })
    await expect(readServerTemplate({ baseUrl: url })).rejects.toMatchObject({
      message: `${url}/props answers HTTP 503: Loading model`,
      isRetryable: true,
    })
  })

  test('a server that answers /apply-template without a prompt', async () => {
    const server = await openTemplateServer({ apply: () => ({ json: {} }) })
    await expect(
      compareWithServerTemplate({ baseUrl: server.url }, { messages: question }),
    ).rejects.toMatchObject({ message: expect.stringContaining('gave no prompt') })
  })

  test('nothing at the address', async () => {
    await expect(readServerTemplate({ baseUrl: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'backend-unavailable',
    })
  })

  test('an abort keeps its own reason', async () => {
    const server = await openServer(() => {})
    const aborting = new AbortController()
    const reading = readServerTemplate({ baseUrl: server.url, signal: aborting.signal })
    const reason = new Error('enough')
    aborting.abort(reason)
    await expect(reading).rejects.toBe(reason)
  })
})

import type { LoadedModel } from '@energy-bench/spec'
import { describe, expect, test, vi } from 'vitest'
import { withRetries } from '../../src/index.js'
import type { ServerOptions } from '../../src/server/server-options.js'
import { ask, collect } from '../support/collect.js'
import { type Protocol, protocols } from '../support/protocols.js'
import { type Handled, openTestServer } from '../support/test-server.js'

type Chat = (response: Handled['response'], protocol: Protocol) => void | Promise<void>

/** A server whose chats go wrong in one way, and a model on it. */
async function open(protocol: Protocol, chat: Chat, options: Partial<ServerOptions> = {}) {
  const server = await openTestServer(async (request) => {
    if (request.path !== protocol.chatPath) return protocol.answer(request)
    await chat(request.response, protocol)
  })
  const model = await protocol.create({ baseUrl: server.url, ...options }).load({})
  return { server, model, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Writes parts of an answer, each in a packet of its own. */
async function write(
  response: Handled['response'],
  { contentType }: Protocol,
  parts: readonly (string | Uint8Array)[],
): Promise<void> {
  response.writeHead(200, { 'content-type': contentType })
  for (const part of parts) {
    await new Promise((resolve) => response.write(part, resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function failureOf(model: LoadedModel): Promise<unknown> {
  return collect(model).then(
    ({ text }) => `an answer: ${text}`,
    (error: unknown) => error,
  )
}

describe.each(protocols)('an answer of $name', (protocol) => {
  test('that is whole comes through', async () => {
    await using opened = await open(protocol, async (response, { piece, ending }) => {
      await write(response, protocol, [piece('4'), piece('33'), ending])
      response.end()
    })
    expect(await collect(opened.model)).toMatchObject({ text: '433', end: { outputTokens: 2 } })
  })

  test('whose connection breaks is cut', async () => {
    await using opened = await open(protocol, async (response, { piece }) => {
      await write(response, protocol, [piece('4')])
      response.destroy()
    })
    expect(await failureOf(opened.model)).toMatchObject({
      code: 'stream-cut',
      message: expect.stringMatching(/broke in the middle: [^\n]+\.$/),
      isRetryable: true,
    })
  })

  test('that ends politely but too early is cut', async () => {
    await using opened = await open(protocol, async (response, { piece }) => {
      await write(response, protocol, [piece('4'), piece('33')])
      response.end()
    })
    expect(await failureOf(opened.model)).toMatchObject({ code: 'stream-cut', isRetryable: true })
  })

  test('with garbage in it fails', async () => {
    await using opened = await open(protocol, async (response, { piece, ending }) => {
      const garbage = piece('x').replace('{', '\u0000<<')
      await write(response, protocol, [piece('4'), garbage, ending])
      response.end()
    })
    expect(await failureOf(opened.model)).toMatchObject({
      code: 'backend-failed',
      message: expect.stringContaining('not JSON'),
      isRetryable: false,
    })
  })

  test('with a character cut between two packets is whole', async () => {
    await using opened = await open(protocol, async (response, { piece, ending }) => {
      const bytes = Buffer.from(piece('für €5 🙂'))
      const cuts = [0, ...bytes.keys()].filter((index) => index === 0 || (bytes[index] ?? 0) > 0x7f)
      const parts = cuts.map((start, index) => bytes.subarray(start, cuts[index + 1]))
      await write(response, protocol, [...parts, ending])
      response.end()
    })
    expect((await collect(opened.model)).text).toBe('für €5 🙂')
  })

  test('that ends in half a character is cut', async () => {
    await using opened = await open(protocol, async (response, { piece }) => {
      const bytes = Buffer.from(piece('5 €'))
      await write(response, protocol, [bytes.subarray(0, bytes.indexOf(0xe2) + 2)])
      response.end()
    })
    expect(await failureOf(opened.model)).toMatchObject({ code: 'stream-cut', isRetryable: true })
  })

  test('that never begins runs into the time limit', async () => {
    await using opened = await open(protocol, () => {}, { requestTimeoutS: 0.05 })
    expect(await failureOf(opened.model)).toMatchObject({
      code: 'backend-timeout',
      message: expect.stringContaining('within 0.05 s'),
      isRetryable: true,
    })
  })

  test('that stalls in the middle runs into the time limit, and the connection is closed', async () => {
    const chat: Chat = (response, { piece }) => write(response, protocol, [piece('4')])
    await using opened = await open(protocol, chat, { requestTimeoutS: 0.1 })
    expect(await failureOf(opened.model)).toMatchObject({ code: 'backend-timeout' })
    await vi.waitFor(() => expect(opened.server.closedEarly).toBe(1))
  })

  test('that the caller leaves early is stopped at the engine', async () => {
    await using opened = await open(protocol, (response, { piece }) =>
      write(response, protocol, [piece('4'), piece('3')]),
    )
    for await (const _ of opened.model.generate(ask('Hi'))) break
    await vi.waitFor(() => expect(opened.server.closedEarly).toBe(1))
  })

  test('that the caller aborts while the engine reads the prompt is stopped at the engine', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    await using opened = await open(protocol, () => controller.abort(reason))
    await expect(collect(opened.model, { signal: controller.signal })).rejects.toBe(reason)
    await vi.waitFor(() => expect(opened.server.closedEarly).toBe(1))
  })

  test.each([
    [429, { 'retry-after': '2' }, 'backend-busy', true],
    [503, { 'retry-after': '3' }, 'backend-busy', true],
    [502, {}, 'backend-unavailable', true],
    [504, {}, 'backend-unavailable', true],
    [407, { 'proxy-authenticate': 'Basic' }, 'backend-unavailable', false],
    [401, {}, 'backend-failed', false],
    [400, {}, 'backend-failed', false],
    [500, {}, 'backend-failed', false],
  ] as const)('with HTTP %i and %o is %s', async (...[status, headers, code, isRetryable]) => {
    await using opened = await open(protocol, (response) => {
      response.writeHead(status, headers).end('<html>sorry</html>')
    })
    const retryAfterS = 'retry-after' in headers ? Number(headers['retry-after']) : undefined
    expect(await failureOf(opened.model)).toMatchObject({ code, isRetryable, retryAfterS })
    expect(opened.server.requests.filter(({ path }) => path === protocol.chatPath)).toHaveLength(1)
  })

  test('with a Retry-After that is a date gives the seconds until then', async () => {
    await using opened = await open(protocol, (response) => {
      const date = new Date(Date.now() + 60_000).toUTCString()
      response.writeHead(503, { 'retry-after': date }).end()
    })
    const error = await failureOf(opened.model)
    expect(error).toMatchObject({ retryAfterS: expect.any(Number) })
    expect((error as { retryAfterS: number }).retryAfterS).toBeGreaterThan(50)
  })

  test.each([
    { error: { message: 'The model `tiny` does not exist.', code: 404 } },
    { error: "model 'tiny' not found" },
  ])('about a model that is gone names it: %o', async (body) => {
    await using opened = await open(protocol, (response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    expect(await failureOf(opened.model)).toMatchObject({
      code: 'model-missing',
      isRetryable: false,
    })
  })

  test('that is a web page is from something else', async () => {
    await using opened = await open(protocol, (response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    })
    expect(await failureOf(opened.model)).toMatchObject({
      code: 'backend-unavailable',
      fix: expect.stringContaining('Correct baseUrl'),
      isRetryable: false,
    })
  })
})

describe.each(protocols)('loading from $name', (protocol) => {
  const loadFrom = (baseUrl: string, options: Partial<ServerOptions> = {}) =>
    protocol
      .create({ baseUrl, readyTimeoutS: 5, ...options })
      .load({})
      .catch((error: unknown) => error)

  test('a web page in place of the engine is told as a wrong baseUrl', async () => {
    await using server = await openTestServer(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    })
    expect(await loadFrom(server.url)).toMatchObject({
      code: 'backend-unavailable',
      fix: expect.stringContaining('Correct baseUrl'),
      isRetryable: false,
    })
  })

  test.each([
    [502, 'backend-unavailable', true],
    [407, 'backend-unavailable', false],
    [401, 'backend-failed', false],
    [404, 'backend-unavailable', false],
  ] as const)('HTTP %i to everything is %s', async (...[status, code, isRetryable]) => {
    await using server = await openTestServer(({ response }) => {
      response.writeHead(status).end('no')
    })
    expect(await loadFrom(server.url)).toMatchObject({ code, isRetryable })
  })

  test('a server that takes the connection and says nothing is a timeout', async () => {
    await using server = await openTestServer(() => {})
    expect(await loadFrom(server.url, { readyTimeoutS: 0.05 })).toMatchObject({
      code: 'backend-timeout',
      isRetryable: true,
    })
  })

  test('nothing at the address may pass', async () => {
    const server = await openTestServer(() => {})
    await server[Symbol.asyncDispose]()
    expect(await loadFrom(server.url)).toMatchObject({
      code: 'backend-unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
      isRetryable: true,
    })
  })

  test('a certificate that is not trusted is told with the way to trust it', async () => {
    await using server = await openTestServer(protocol.answer, { tls: true })
    expect(await loadFrom(server.url)).toMatchObject({
      code: 'backend-unavailable',
      message: expect.stringContaining('self-signed certificate'),
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      isRetryable: false,
    })
  })

  test('https to a server without TLS is told with the right address', async () => {
    await using server = await openTestServer(protocol.answer)
    expect(await loadFrom(server.url.replace('http:', 'https:'))).toMatchObject({
      code: 'backend-unavailable',
      fix: `Write ${server.url}: no TLS is spoken.`,
      isRetryable: false,
    })
  })

  test('http to a server with TLS fails', async () => {
    await using server = await openTestServer(protocol.answer, { tls: true })
    expect(await loadFrom(server.url.replace('https:', 'http:'))).toMatchObject({
      code: 'backend-unavailable',
    })
  })
})

describe.each(protocols)('a $name that restarts in the middle of a run', (protocol) => {
  const whole = async ({ response }: Handled) => {
    await write(response, protocol, [protocol.piece('433'), protocol.ending])
    response.end()
  }
  const serve =
    (chat: (request: Handled) => void | Promise<void>) =>
    (request: Handled): void | Promise<void> =>
      request.path === protocol.chatPath ? chat(request) : protocol.answer(request)

  test('cuts one answer, is away for a while, and then answers again', async () => {
    const first = await openTestServer(
      serve(async ({ response }) => {
        await write(response, protocol, [protocol.piece('4')])
        response.destroy()
      }),
    )
    const model = await protocol.create({ baseUrl: first.url }).load({})
    expect(await failureOf(model)).toMatchObject({ code: 'stream-cut', isRetryable: true })
    await first[Symbol.asyncDispose]()
    expect(await failureOf(model)).toMatchObject({
      code: 'backend-unavailable',
      isRetryable: true,
    })
    await using _ = await openTestServer(serve(whole), { port: first.port })
    expect((await collect(model)).text).toBe('433')
  })

  test('is waited for by a backend with retries', async () => {
    const first = await openTestServer(serve(whole))
    const restarted: Awaited<ReturnType<typeof openTestServer>>[] = []
    const backend = withRetries(protocol.create({ baseUrl: first.url }), {
      sleep: async () => {
        restarted.push(await openTestServer(serve(whole), { port: first.port }))
      },
    })
    const model = await backend.load({})
    await first[Symbol.asyncDispose]()
    expect((await collect(model)).text).toBe('433')
    expect(restarted).toHaveLength(1)
    await restarted[0]?.[Symbol.asyncDispose]()
  })
})

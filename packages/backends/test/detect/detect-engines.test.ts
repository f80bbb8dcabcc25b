import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import process from 'node:process'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addressesOf, ollamaAddress } from '../../src/detect/addresses.js'
import { detectEngines } from '../../src/detect/index.js'
import * as engines from '../support/engine-routes.js'
import { openRouteServer, openServer } from '../support/route-server.js'

/** A plain TCP port, for servers that break the rules of HTTP. */
async function openPort(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function detailAt(port: number, timeoutS = 5): Promise<string | undefined> {
  expect(await detectEngines({ ports: [port], timeoutS })).toEqual([])
  const [found] = await detectEngines({ ports: [port], timeoutS, verbose: true })
  expect(found?.kind).toBe('unrecognised')
  return found?.missing[0]?.detail
}

describe('a port that is no engine is told only when asked for, with what it does', () => {
  test('it accepts and never answers', async () => {
    const port = await openPort(() => {})
    expect(await detailAt(port, 0.1)).toBe('it does not answer in time')
  })

  test('it begins an answer and never ends it', async () => {
    const { port } = await openServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"data":[')
    })
    expect(await detailAt(port, 0.2)).toBe('it does not answer in time')
  })

  test('it closes every connection', async () => {
    const port = await openPort((socket) => socket.destroy())
    expect(await detailAt(port)).toMatch(/closed|ECONNRESET/)
  })

  test('it does not speak HTTP', async () => {
    const port = await openPort((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    expect(await detailAt(port)).not.toBe('')
  })

  test('it answers with a page', async () => {
    const page = {
      text: '<!doctype html><title>A web page</title>',
      headers: { 'content-type': 'text/html' },
    }
    const { port } = await openRouteServer({ routes: {}, fallback: page })
    expect(await detailAt(port)).toBe('/v1/models answers HTTP 200 with text/html')
  })

  test('it redirects, and is not followed', async () => {
    const target = await openRouteServer(engines.vllm)
    const { port } = await openRouteServer({
      routes: {},
      fallback: { text: '', status: 302, headers: { location: `${target.url}/v1/models` } },
    })
    expect(await detailAt(port)).toBe('/v1/models answers HTTP 302 with no content type')
    expect(target.requests).toEqual([])
  })

  test('it sends without end', async () => {
    const { port } = await openServer((_, response) => {
      const megabyte = Buffer.alloc(1 << 20, 'x')
      const more = () => {
        while (!response.destroyed && response.write(megabyte));
      }
      response.on('drain', more)
      more()
    })
    expect(await detailAt(port)).toBe('it sends more than 4000000 bytes')
  })

  test('it answers once and then no more', async () => {
    const { port } = await openServer((request, response) => {
      if (request.url === '/v1/models') response.writeHead(404).end()
    })
    expect(await detailAt(port, 0.2)).toBe('it stops answering after its first answer')
  })

  test.each([
    ['a list of something else', { data: ['a', 'b'] }],
    ['a list without names', { data: [{ object: 'model' }] }],
    ['null', null],
    ['a number', 7],
  ])('it answers JSON that is %s', async (_, json) => {
    const { port } = await openRouteServer({ routes: {}, fallback: { json } })
    expect(await detailAt(port)).toBe('/v1/models answers HTTP 200 with application/json')
  })
})

test('a port where nothing listens is not told at all', async () => {
  expect(await detectEngines({ ports: [await closedPort()], verbose: true })).toEqual([])
})

test('several engines are found at once, in the order of the ports, beside half-dead ones', async () => {
  const silent = await openPort(() => {})
  const servers = await Promise.all(
    [engines.vllm, engines.transformersServe, engines.llamaServer, engines.mlxLm('m')].map(
      openRouteServer,
    ),
  )
  const ports = [silent, ...servers.map(({ port }) => port)]
  const found = await detectEngines({ ports, timeoutS: 1 })
  expect(found.map(({ kind, baseUrl }) => [kind, baseUrl])).toEqual([
    ['vllm', servers[0]?.url],
    ['transformers-serve', servers[1]?.url],
    ['llama-server', servers[2]?.url],
    ['mlx-lm', servers[3]?.url],
  ])
})

test('half-dead ports do not add up: all are given up at the same deadline', async () => {
  const ports = await Promise.all(Array.from({ length: 8 }, () => openPort(() => {})))
  const startMs = performance.now()
  await detectEngines({ ports, timeoutS: 0.5 })
  expect(performance.now() - startMs).toBeLessThan(2000)
})

test.runIf(process.platform === 'linux')('the process that listens is named', async () => {
  const { port } = await openRouteServer(engines.vllm)
  const [engine] = await detectEngines({ ports: [port] })
  expect(engine?.processId).toBe(process.pid)
})

test('a server elsewhere is said to be elsewhere, and its process is not guessed', async () => {
  const answer = engines.vllm.routes as Record<string, { json: unknown }>
  const elsewhere: typeof fetch = async (input) =>
    Response.json(answer[new URL(String(input)).pathname]?.json ?? {})
  const [engine] = await detectEngines({
    hosts: ['gpu-server.example'],
    ports: [8000],
    fetch: elsewhere,
  })
  expect(engine).toMatchObject({
    kind: 'vllm',
    name: 'vLLM',
    baseUrl: 'http://gpu-server.example:8000',
    isLocal: false,
    processId: { status: 'unknown', reason: expect.stringContaining('another machine') },
  })
})

test('an API key is sent when it is given', async () => {
  const keys: (string | undefined)[] = []
  const { port } = await openServer((request, response) => {
    keys.push(request.headers.authorization)
    response.end('{}')
  })
  await detectEngines({ ports: [port], apiKey: 'secret' })
  await detectEngines({ ports: [port] })
  expect(new Set(keys)).toEqual(new Set(['Bearer secret', undefined]))
})

test('an abort ends the search with its own reason', async () => {
  const port = await openPort(() => {})
  const aborting = new AbortController()
  const reason = new Error('enough')
  const search = detectEngines({ ports: [port], timeoutS: 60, signal: aborting.signal })
  aborting.abort(reason)
  await expect(search).rejects.toBe(reason)
  await expect(detectEngines({ ports: [port], signal: aborting.signal })).rejects.toBe(reason)
})

describe('the addresses', () => {
  test('are the usual ports of this machine, each once', () => {
    expect(addressesOf({})).toEqual(
      [11_434, 8080, 8000, 30_000, 1234, 3000].map((port) => `http://127.0.0.1:${port}`),
    )
    expect(addressesOf({ ports: [1, 1], hosts: ['::1'] })).toEqual(['http://[::1]:1'])
  })

  test('begin with OLLAMA_HOST, unless ports or hosts are named', () => {
    expect(addressesOf({ ollamaHost: 'box:9' })[0]).toBe('http://box:9')
    expect(addressesOf({ ollamaHost: '127.0.0.1' })).toHaveLength(6)
    expect(addressesOf({ ollamaHost: 'box:9', ports: [1] })).toEqual(['http://127.0.0.1:1'])
  })

  test.each([
    ['', undefined],
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['0.0.0.0:11435', 'http://127.0.0.1:11435'],
    ['[::]:11434', 'http://127.0.0.1:11434'],
    ['::1', 'http://[::1]:11434'],
    ['http://box', 'http://box'],
    ['https://box:8443/', 'https://box:8443'],
    [' box ', 'http://box:11434'],
    ['not a host', undefined],
    ['box:notaport', undefined],
  ])('OLLAMA_HOST %j is %j', (value, expected) => {
    expect(ollamaAddress(value)).toBe(expected)
  })

  test('any OLLAMA_HOST is an address or nothing', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const address = ollamaAddress(value)
        expect(address === undefined || URL.canParse(address)).toBe(true)
      }),
    )
  })
})

test('any JSON at all is an engine or none, and never an error', async () => {
  let json: unknown
  const { port } = await openServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', server: 'llama.cpp' })
    response.end(JSON.stringify(json))
  })
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      json = value
      const found = await detectEngines({ ports: [port], verbose: true })
      expect(found).toHaveLength(1)
    }),
    { numRuns: 50 },
  )
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { backendContract } from '../../src/contract/index.js'
import { createLlamaServer } from '../../src/llama-server/index.js'
import {
  createReplayFetch,
  loadRecording,
  parseRecording,
  type Recording,
  recordExchanges,
  saveRecording,
  serveRecording,
  stringifyRecording,
} from '../../src/recording/index.js'
import { collect } from '../support/collect.js'
import { openReplayServer, type ReplayServer } from '../support/replay-server.js'

const encode = (text: string) => new TextEncoder().encode(text)

function streamOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  const waiting = chunks.map(encode)
  return new ReadableStream({
    pull(controller) {
      const bytes = waiting.shift()
      return bytes === undefined ? controller.close() : controller.enqueue(bytes)
    },
  })
}

function recordAnswer(answer: () => Response, hostName = 'machine.test') {
  return recordExchanges({ fetch: async () => answer(), hostName })
}

describe('a recorded backend', () => {
  let server: ReplayServer

  beforeAll(async () => {
    server = await openReplayServer()
  })

  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const create = () => createLlamaServer({ baseUrl: server.url, fetch: recordExchanges().fetch })
  for (const check of backendContract({ create, model: {} })) test(check.name, check.run)
})

test('a recorded run is run again without its server', async () => {
  const recorder = recordExchanges()
  const run = async (baseUrl: string, fetch = globalThis.fetch) => {
    await using model = await createLlamaServer({ baseUrl, fetch }).load({})
    return await collect(model, { thinking: 'off' })
  }
  const first = await (async () => {
    await using server = await openReplayServer()
    return await run(server.url, recorder.fetch)
  })()
  const recording = parseRecording(stringifyRecording(recorder.recording({})))
  const second = await run('http://127.0.0.1:1', createReplayFetch(recording))
  await using server = await serveRecording(recording)
  const third = await run(server.url)
  expect([second.text, third.text]).toEqual([first.text, first.text])
  expect(second.end.outputTokens).toBe(first.end.outputTokens)
})

test('keys, cookies and host names are not in the file, also where an answer repeats them', async () => {
  const recorder = recordAnswer(
    () =>
      new Response(streamOf('you sent sk-12', '345 to gpu.lab.test from mach', 'ine.test'), {
        headers: { 'set-cookie': 'id=cookie-set; Path=/', server: 'some' },
      }),
  )
  const response = await recorder.fetch('http://gpu.lab.test:8080/v1/x?api_key=param-7&n=1', {
    method: 'POST',
    headers: { authorization: 'Bearer sk-12345', cookie: 'a=cookie-a; b=cookie-b' },
    body: 'sk-12345 cookie-a cookie-b param-7',
  })
  await response.text()
  const text = stringifyRecording(recorder.recording({}))
  for (const secret of ['sk-12', '345', 'cookie', 'param-7', 'lab', 'machine', 'mach']) {
    expect(text).not.toContain(secret)
  }
  const [exchange] = parseRecording(text).exchanges
  expect(exchange?.request.path).toBe('/v1/x?api_key=hidden&n=1')
  expect(exchange?.response.chunks.map((chunk) => 'text' in chunk && chunk.text)).toEqual([
    'you sent xxxxx',
    'xxx to xxxxxxxxxxxx from xxxx',
    'xxxxxxxx',
  ])
})

test('the client gets what the server said, unchanged', async () => {
  const recorder = recordAnswer(() => new Response('from machine.test', { status: 418 }))
  const response = await recorder.fetch('http://127.0.0.1:1/a')
  expect([response.status, await response.text()]).toEqual([418, 'from machine.test'])
})

test('chunks have the time since the request started', async () => {
  const times = [10, 10.25, 11.5]
  const recorder = recordExchanges({
    fetch: async () => new Response(streamOf('a', 'b')),
    now: () => times.shift() ?? 0,
  })
  await (await recorder.fetch('http://127.0.0.1:1/a')).text()
  const [exchange] = recorder.recording({}).exchanges
  expect(exchange?.response).toMatchObject({
    chunks: [
      { offsetS: 0.25, text: 'a' },
      { offsetS: 1.5, text: 'b' },
    ],
    isWhole: true,
  })
})

test('an answer that was not read to its end breaks off in the replay, too', async () => {
  const recorder = recordAnswer(() => new Response(streamOf('one', 'two', 'three')))
  const response = await recorder.fetch('http://127.0.0.1:1/a')
  for await (const _ of response.body ?? []) break
  const recording = recorder.recording({})
  expect(recording.exchanges[0]?.response.isWhole).toBe(false)
  const replayed = await createReplayFetch(recording)('http://127.0.0.1:1/a')
  await expect(replayed.text()).rejects.toThrow('terminated')
  await using server = await serveRecording(recording)
  const served = await fetch(`${server.url}/a`)
  await expect(served.text()).rejects.toThrow('terminated')
})

test('breaking off the answer breaks off that of the server', async () => {
  let isCancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encode('more')),
    cancel() {
      isCancelled = true
    },
  })
  const response = await recordAnswer(() => new Response(endless)).fetch('http://127.0.0.1:1/a')
  for await (const _ of response.body ?? []) break
  expect(isCancelled).toBe(true)
})

function postOf(body: string): RequestInit {
  return { method: 'POST', body }
}

async function recordingOf(...bodies: readonly string[]): Promise<Recording> {
  let count = 0
  const recorder = recordAnswer(() => new Response(`answer ${++count}`))
  for (const body of bodies) {
    await (await recorder.fetch('http://127.0.0.1:1/a', postOf(body))).text()
  }
  return recorder.recording({})
}

async function answers(recording: Recording, bodies: readonly string[], options = {}) {
  const replay = createReplayFetch(recording, options)
  const texts: string[] = []
  for (const body of bodies) {
    texts.push(await (await replay('http://127.0.0.1:1/a', postOf(body))).text())
  }
  return texts
}

test('equal requests get their answers in order, and the last one stays', async () => {
  const recording = await recordingOf('{"a":1,"b":2}', '{"a":1}', '{"a":1,"b":2}')
  const asked = ['{"b":2,"a":1}', '{"a":1,"b":2}', '{"a":1,"b":2}', '{"a":1}']
  expect(await answers(recording, asked)).toEqual(['answer 1', 'answer 3', 'answer 3', 'answer 2'])
})

test('in-order does not look at the body', async () => {
  const recording = await recordingOf('{"salt":1}', '{"salt":2}')
  const options = { matching: 'in-order' }
  expect(await answers(recording, ['x', 'y'], options)).toEqual(['answer 1', 'answer 2'])
})

test('a request that was not recorded is told', async () => {
  const recording = await recordingOf('a')
  await expect(answers(recording, ['b'])).rejects.toMatchObject({
    code: 'record-invalid',
    message: 'The recording has no exchange for this POST /a.',
  })
  await using server = await serveRecording(recording)
  const response = await fetch(`${server.url}/a`, postOf('b'))
  expect([response.status, await response.json()]).toEqual([
    501,
    { error: { message: 'The recording has no exchange for this POST /a.' } },
  ])
})

test('an abort keeps its own reason while a paced answer waits', async () => {
  const recording: Recording = {
    format: 'energy-bench-exchanges',
    version: 1,
    about: {},
    exchanges: [
      {
        request: { method: 'GET', path: '/a', headers: {} },
        response: {
          status: 200,
          headers: {},
          chunks: [{ offsetS: 1000, text: 'late' }],
          isWhole: true,
        },
      },
    ],
  }
  const aborting = new AbortController()
  const replay = createReplayFetch(recording, { isPaced: true })
  const response = await replay('http://127.0.0.1:1/a', { signal: aborting.signal })
  const reading = response.text()
  const reason = new Error('enough')
  aborting.abort(reason)
  await expect(reading).rejects.toBe(reason)
})

describe('a file', () => {
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'energy-bench-'))
    onTestFinished(() => rm(path, { recursive: true }))
    return path
  }

  test('holds what was saved', async () => {
    const path = join(await folder(), 'exchanges.json')
    const recording = await recordingOf('a')
    await saveRecording(path, recording)
    expect(await loadRecording(path)).toEqual(recording)
    expect(await readFile(path, 'utf8')).toBe(stringifyRecording(recording))
  })

  test('in a folder that is not there is save-failed, and its absence record-invalid', async () => {
    const path = join(await folder(), 'none', 'exchanges.json')
    const recording = await recordingOf()
    await expect(saveRecording(path, recording)).rejects.toMatchObject({ code: 'save-failed' })
    await expect(loadRecording(path)).rejects.toMatchObject({ code: 'record-invalid' })
  })

  test.each([
    ['not JSON', '{'],
    ['another version', '{"format":"energy-bench-exchanges","version":2}'],
    [
      'an unknown field',
      '{"format":"energy-bench-exchanges","version":1,"about":{},"exchanges":[],"x":1}',
    ],
  ])('that is %s is record-invalid', (_, text) => {
    expect(() => parseRecording(text)).toThrow(expect.objectContaining({ code: 'record-invalid' }))
  })
})

// npm run record:exchanges: asks the llama-server that was built here and writes the fixtures that the default tests replay.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import {
  type ExchangeRecorder,
  type Recording,
  recordExchanges,
  saveRecording,
} from '@energy-bench/backends/recording'
import { findFreePort } from '../packages/backends/src/launch/port.js'
import { findCachedBinary, readRelease } from './llama-server/cached-binary.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const fixtures = join(root, 'packages', 'backends', 'test', 'fixtures', 'llama-server')
const weights = join(root, 'packages', 'reference-model', 'weights')
const model = 'reference-q4_0.gguf'
const flags = ['-m', model, '-t', '1', '-tb', '1', '-c', '1024', '-np', '1', '--no-ui']

const question = [{ role: 'user', content: 'What is 347 + 86?' }]
const tooLong = [{ role: 'user', content: 'What is 1 + 1? '.repeat(200) }]
const fixed = { model, temperature: 0, seed: 1, cache_prompt: false }
const streamed = { ...fixed, messages: question, max_tokens: 300, stream: true }
const withUsage = { ...streamed, stream_options: { include_usage: true } }
const off = { chat_template_kwargs: { enable_thinking: false } }
const on = { chat_template_kwargs: { enable_thinking: true } }
const chat = '/v1/chat/completions'

/** Path and body of each exchange, by the name of its file. Those without a body are read. */
const questions: Readonly<Record<string, readonly [path: string, body?: object]>> = {
  'health-ready': ['/health'],
  models: ['/v1/models'],
  props: ['/props'],
  'apply-template-default': ['/apply-template', { messages: question }],
  'apply-template-no-think': ['/apply-template', { messages: question, ...off }],
  'chat-stream-usage': [chat, { ...withUsage, ...on }],
  'chat-stream-usage-no-think': [chat, { ...withUsage, ...off }],
  'chat-stream-no-usage': [chat, { ...streamed, ...off }],
  'chat-stream-max-tokens': [chat, { ...withUsage, max_tokens: 8 }],
  'error-over-long': [chat, { ...fixed, messages: tooLong, max_tokens: 5 }],
}

const binary = process.env.LLAMA_SERVER ?? findCachedBinary(root)
if (binary === undefined) throw new Error('Run `npm run build:llama-server` first.')
const port = await findFreePort()
const url = `http://127.0.0.1:${port}`
const loading = await recordLoading(binary)
await using _server = start(binary)
await untilReady(recordExchanges())
const recordings = { 'health-loading': loading, ...(await recordAll()) }
for (const [name, recording] of Object.entries(recordings)) {
  await saveRecording(join(fixtures, `${name}.json`), recording)
  process.stderr.write(`${name}: ${recording.exchanges[0]?.response.status}\n`)
}

/** Started beside its weights, so that no path of this machine is in an answer. */
function start(path: string): AsyncDisposable {
  const address = ['--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(path, [...flags, ...address], { cwd: weights, stdio: 'ignore' })
  const ended = once(child, 'exit')
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A model this small is loaded in a few milliseconds, so the server is started until one of them is met. */
async function recordLoading(path: string): Promise<Recording> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await using _server = start(path)
    const recorder = recordExchanges()
    await untilReady(recorder)
    const { exchanges, ...rest } = recorder.recording(about())
    const loading = exchanges.find(({ response }) => response.status === 503)
    if (loading !== undefined) return { ...rest, exchanges: [loading] }
  }
  throw new Error('No answer came while the model was loaded. Run this again.')
}

async function untilReady(recorder: ExchangeRecorder): Promise<void> {
  const lastMs = performance.now() + 30_000
  while (performance.now() < lastMs) {
    if ((await ask(recorder, '/health').catch(() => 0)) === 200) return
  }
  throw new Error('llama-server was never ready.')
}

async function recordAll(): Promise<Record<string, Recording>> {
  const recordings: Record<string, Recording> = {}
  for (const [name, [path, body]] of Object.entries(questions)) {
    const recorder = recordExchanges()
    await ask(recorder, path, body)
    recordings[name] = recorder.recording(about())
  }
  return recordings
}

/** Asks and reads the whole answer, on a connection of its own. */
async function ask(recorder: ExchangeRecorder, path: string, body?: object): Promise<number> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await recorder.fetch(`${url}${path}`, body === undefined ? {} : sent)
  await response.text()
  return response.status
}

function about(): Record<string, string> {
  return {
    engine: `llama-server of llama.cpp ${readRelease(root)}`,
    flags: flags.join(' '),
    recordedAt: new Date().toISOString().slice(0, 10),
  }
}

#!/usr/bin/env node
// Stands in for llama-server: answers what a real one answered, and can be told to die by FAKE_DEATH.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import process from 'node:process'

const read = (name) => {
  const url = new URL(`../fixtures/llama-server/${name}.json`, import.meta.url)
  const { chunks } = JSON.parse(readFileSync(url, 'utf8')).exchanges[0].response
  const text = chunks.map((chunk) => chunk.text).join('')
  return text.startsWith('data:') ? { sse: text } : { body: JSON.parse(text) }
}
const port = Number(process.argv[process.argv.indexOf('--port') + 1])
const death = process.env.FAKE_DEATH
process.stderr.write(`started with HF_HUB_OFFLINE ${process.env.HF_HUB_OFFLINE}\n`)
if (death === 'start') {
  process.stderr.write('error: failed to allocate 99 GB\n')
  process.exit(1)
}

const answers = {
  '/health': { body: { status: 'ok' } },
  '/props': read('props'),
  '/v1/models': read('models'),
  '/version': { body: { version: '0.32.0' } },
  '/v1/chat/completions': read('chat-stream-usage-no-think'),
}
createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname
  const answer = answers[path]
  if (answer?.sse !== undefined && death === 'answer') {
    process.stderr.write('CUDA error: out of memory\n')
    process.exit(134)
  }
  const type = answer?.sse === undefined ? 'application/json' : 'text/event-stream'
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': type })
  response.end(answer?.sse ?? JSON.stringify(answer?.body ?? {}))
}).listen(port, '127.0.0.1')

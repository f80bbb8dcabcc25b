import { detectEngines } from '@energy-bench/backends/detect'
import { expect, test } from 'vitest'
import { withDefaultEngine } from '../../src/cli/default-engine.js'
import { quickDefaults } from '../../src/quick/options.js'
import { startFakeOllama } from '../support/fake-ollama.js'
import { startFakeServer } from '../support/fake-server.js'

const { signal } = new AbortController()

async function choose(...ports: readonly number[]) {
  const said: string[] = []
  const options = await withDefaultEngine(quickDefaults, {
    say: (text) => said.push(text),
    signal,
    detect: () => detectEngines({ ports }),
  })
  return { urls: options.urls, said }
}

test('the engine that runs here is measured, and the user reads what, why, and how else', async () => {
  const { port, url } = await startFakeOllama(['qwen3:8b', 'gemma3:4b'], ['gemma3:4b'])
  expect(await choose(port)).toEqual({
    urls: [`${url}#gemma3:4b`],
    said: [
      `Engine: Ollama 0.33.0 at ${url}`,
      '  measures gemma3:4b, the only model that is loaded here.',
      '  Another: --url or --model. The reference model: --reference.',
    ],
  })
})

test('several models are listed as flags to choose from', async () => {
  const { port, url } = await startFakeOllama(['qwen3:8b', 'gemma3:4b'])
  await expect(choose(port)).rejects.toMatchObject({
    code: 'usage-invalid',
    message: '2 models could be measured here, and none was named.',
    fix: [
      'Name one or more:',
      `    --url ${url}#qwen3:8b`,
      `    --url ${url}#gemma3:4b`,
      '    --reference    (the embedded reference model)',
    ].join('\n'),
  })
})

test('a long list is cut, and names are quoted for the shell where they need it', async () => {
  const names = ["it's here", ...Array.from({ length: 10 }, (_, index) => `model-${index}`)]
  const { port, url } = await startFakeOllama(names)
  const error = await choose(port).catch((cause: unknown) => cause as { fix: string })
  const lines = (error as { fix: string }).fix.split('\n')
  expect(lines[1]).toBe(`    --url '${url}#it'\\''s here'`)
  expect(lines.at(-2)).toBe('    and 3 more, see: energy-bench doctor')
})

test('an engine that is not ready is named with its remedy, and the reference model is measured', async () => {
  const empty = await startFakeOllama([])
  const plain = await startFakeServer({ failAfter: 0 })
  expect(await choose(empty.port, plain.port)).toEqual({
    urls: [],
    said: [
      `Engine: Ollama 0.33.0 at ${empty.url} is passed over: it has no model on this machine.\n  ollama pull NAME`,
      `Engine: OpenAI-compatible server at ${plain.url} is passed over: it may hand its requests on to another machine.\n  To measure it: --url ${plain.url}`,
      'Engine: none is ready on the usual ports, so the reference model is measured.',
    ],
  })
})

test('nothing is looked for when the user names what to measure', async () => {
  const detect = () => Promise.reject(new Error('it looked'))
  const say = () => {}
  for (const named of [{ models: ['a.gguf'] }, { urls: ['http://127.0.0.1:1'] }]) {
    const options = { ...quickDefaults, ...named }
    expect(await withDefaultEngine(options, { say, signal, detect })).toBe(options)
  }
})

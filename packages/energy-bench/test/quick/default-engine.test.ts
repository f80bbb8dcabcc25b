import type { DetectedEngine } from '@energy-bench/backends/detect'
import { unknown } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { chooseEngine, passedOver } from '../../src/quick/default-engine.js'

function engine(changes: Partial<DetectedEngine> = {}): DetectedEngine {
  return {
    kind: 'ollama',
    name: 'Ollama',
    version: '0.33.0',
    baseUrl: 'http://127.0.0.1:11434',
    isLocal: true,
    processId: 1,
    modelsAvailable: ['a'],
    modelsLoaded: [],
    missing: [],
    ...changes,
  }
}

function chosenUrl(engines: readonly DetectedEngine[]): string | undefined {
  const choice = chooseEngine(engines)
  return choice.type === 'one' ? choice.chosen.url : undefined
}

test('the only model of the only engine is chosen', () => {
  expect(chooseEngine([engine()])).toMatchObject({
    type: 'one',
    isLoaded: false,
    chosen: { model: 'a', url: 'http://127.0.0.1:11434#a' },
  })
})

test('a model in memory goes before those that are not', () => {
  const one = engine({ modelsAvailable: ['a', 'b', 'c'], modelsLoaded: ['b'] })
  expect(chooseEngine([one])).toMatchObject({ type: 'one', isLoaded: true, chosen: { model: 'b' } })
})

test('an engine that does not tell what is loaded counts with what it has', () => {
  const untold = unknown('it does not tell')
  expect(chosenUrl([engine({ modelsLoaded: untold })])).toBe('http://127.0.0.1:11434#a')
  expect(chooseEngine([engine({ modelsLoaded: untold, modelsAvailable: untold })])).toEqual({
    type: 'none',
  })
})

test('several models are for the user to decide', () => {
  const many = engine({ modelsAvailable: ['a', 'b'] })
  const other = engine({ kind: 'vllm', baseUrl: 'http://127.0.0.1:8000', modelsLoaded: ['c'] })
  expect(chooseEngine([many, other])).toMatchObject({
    type: 'several',
    candidates: [{ model: 'a' }, { model: 'b' }, { url: 'http://127.0.0.1:8000#c' }],
  })
})

test('an engine that cannot answer is passed over with what it lacks', () => {
  const missing = [{ what: 'model', detail: 'it has no model', fix: 'ollama pull NAME' }] as const
  const empty = engine({ missing })
  expect(chosenUrl([empty, engine()])).toBe('http://127.0.0.1:11434#a')
  expect(passedOver([empty, engine()])).toEqual([
    { engine: empty, why: 'it has no model', fix: 'ollama pull NAME' },
  ])
})

test('what may send the prompts to another machine is never chosen by itself', () => {
  const remote = engine({ isLocal: false, baseUrl: 'http://box:11434' })
  const proxy = engine({ kind: 'openai', baseUrl: 'http://127.0.0.1:8000' })
  expect(chooseEngine([remote, proxy])).toEqual({ type: 'none' })
  expect(passedOver([remote, proxy]).map(({ fix }) => fix)).toEqual([
    'To measure it: --url http://box:11434',
    'To measure it: --url http://127.0.0.1:8000',
  ])
})

test('no engine at all is no choice', () => {
  expect(chooseEngine([])).toEqual({ type: 'none' })
})

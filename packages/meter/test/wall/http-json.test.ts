import { expect, test } from 'vitest'
import { sampleOnce } from './sampling.js'
import { type PlugHandler, startPlug } from './server.js'

const ANSWER = { 'a/b': [{ 'p~w': '1.5' }], total: 2 }
const handler: PlugHandler = ({ method, path, headers }) =>
  method === 'GET' && path === '/x?y=1' && headers['x-key'] === 'k'
    ? { body: JSON.stringify(ANSWER) }
    : undefined

test('numbers are found by pointer and converted by unit', async () => {
  await using plug = await startPlug(handler)
  const sample = await sampleOnce({
    kind: 'http-json',
    url: `http://${plug.host}/x?y=1`,
    headers: { 'X-Key': 'k' },
    power: { pointer: '/a~1b/0/p~0w', unit: 'kW' },
    energy: { pointer: '/total', unit: 'Wh' },
  })
  expect(sample).toEqual({ powerW: 1500, energyJ: 7200 })
  expect(plug.refused).toEqual([])
})

test('an answer that is a bare number has the empty pointer', async () => {
  await using plug = await startPlug(() => ({ body: '2500' }))
  const sample = await sampleOnce({
    kind: 'http-json',
    url: `http://${plug.host}/`,
    power: { pointer: '', unit: 'mW' },
  })
  expect(sample.powerW).toBe(2.5)
})

test.each([
  ['-1', 'the plug said -1 W, not 0 to 20000 W'],
  ['20001', 'the plug said 20001 W, not 0 to 20000 W'],
  ['"NaN"', 'the plug said NaN W, not 0 to 20000 W'],
  ['1e999', 'the plug said Infinity W, not 0 to 20000 W'],
])('%s W is implausible', async (body, detail) => {
  await using plug = await startPlug(() => ({ body }))
  const { powerW } = await sampleOnce({
    kind: 'http-json',
    url: `http://${plug.host}/`,
    power: { pointer: '', unit: 'W' },
  })
  expect(powerW).toMatchObject({ reason: 'implausible', detail })
})

test('a pointer that leads nowhere is named', async () => {
  await using plug = await startPlug(() => ({ body: '{}' }))
  const { powerW } = await sampleOnce({
    kind: 'http-json',
    url: `http://${plug.host}/`,
    power: { pointer: '/__proto__/x', unit: 'W' },
  })
  expect(powerW).toMatchObject({ detail: "the answer has no number at '__proto__.x'" })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { quickDefaults } from '../../src/quick/options.js'
import { quickTargets } from '../../src/quick/targets.js'
import { close, startFakeServer } from '../support/fake-server.js'

test('a URL may name one of the models of its server', async () => {
  const { url } = await startFakeServer({ failAfter: 0 })
  const urls = [url, `${url}/v1/#tiny`, `${url}#a/b#c`]
  const [plain, named, odd] = quickTargets({ ...quickDefaults, urls })
  expect(plain?.model).toEqual({})
  expect(named?.model).toEqual({ id: 'tiny' })
  expect(odd?.model).toEqual({ id: 'a/b#c' })
  expect(named?.name).toBe(`tiny at ${url.replace('http://', '')}/v1`)
  await using backend = await named?.createBackend()
  await using model = await backend?.load(named?.model ?? {})
  expect(model?.info.model).toBe('tiny')
})

test('a key of the server goes with every request', async () => {
  const keys = new Set<string | undefined>()
  const server = createServer((request, response) => {
    keys.add(request.headers.authorization)
    response.end(JSON.stringify({ data: [{ id: 'tiny' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => close(server))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [target] = quickTargets({ ...quickDefaults, urls: [url] }, 'secret')
  await using backend = await target?.createBackend()
  await using _model = await backend?.load({})
  expect(keys).toEqual(new Set(['Bearer secret']))
})

test('nothing named is the reference model in its four quantizations', () => {
  expect(quickTargets(quickDefaults).map(({ name }) => name)).toEqual([
    'F16',
    'Q8_0',
    'Q4_0',
    'Q2_K',
  ])
})

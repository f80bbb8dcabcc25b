import { expect, test } from 'vitest'
import { createWallSource, type WallConfig } from '../../src/wall/index.js'
import { createPolledWall } from '../../src/wall/polled-wall.js'

const idsOf = (config: WallConfig) =>
  createWallSource(config).domains.map(({ id, partOf }) => [id, partOf])

test('a fine counter that moves every second counts in place of the integrated power', () => {
  expect(idsOf({ kind: 'tasmota', host: '192.168.1.5:8080', energyDecimals: 5 })).toEqual([
    ['wall:tasmota-192.168.1.5-8080:power', 'wall:tasmota-192.168.1.5-8080:counter'],
    ['wall:tasmota-192.168.1.5-8080:counter', undefined],
  ])
})

test.each(['shelly', 'shelly-gen1'] as const)(
  '%s: a fine counter that may move once a minute is part of the power',
  (kind) => {
    expect(idsOf({ kind, host: 'plug', name: 'pc' })).toEqual([
      ['wall:pc:power', undefined],
      ['wall:pc:counter', 'wall:pc:power'],
    ])
  },
)

test.each(['kasa', 'homewizard'] as const)('%s: a coarse counter is part of the power', (kind) => {
  expect(idsOf({ kind, host: 'plug', name: 'pc' })).toEqual([
    ['wall:pc:power', undefined],
    ['wall:pc:counter', 'wall:pc:power'],
  ])
})

test.each([
  [3, 'wall:pc:power'],
  [4, undefined],
])('a Tasmota counter of %i decimals is part of %s', (energyDecimals, partOf) => {
  const ids = idsOf({ kind: 'tasmota', host: 'plug', name: 'pc', energyDecimals })
  expect(ids).toContainEqual(['wall:pc:counter', partOf])
})

test('a Tapo has no counter, an energy sensor alone has no power', () => {
  expect(idsOf({ kind: 'tapo', host: 'p', name: 'pc', username: 'u', password: 'p' })).toEqual([
    ['wall:pc:power', undefined],
  ])
  const energy = { pointer: '/e', unit: 'kWh' } as const
  expect(idsOf({ kind: 'http-json', url: 'http://p/', name: 'pc', energy })).toEqual([
    ['wall:pc:counter', undefined],
  ])
})

test('notes say step, cadence and what counts', () => {
  const fritz = createWallSource({ kind: 'fritz-dect', host: 'box', ain: '12345', password: 'x' })
  expect(fritz.domains.map(({ note }) => note)).toEqual([
    'Everything on this socket, with the loss of its power supply. New value: about 2 min. Step: 0.01 W. Unusable for windows shorter than an hour.',
    'Everything on this socket, with the loss of its power supply. Counter in steps of 1 Wh. New value: about 2 min. Its steps are coarse or rare, so the integrated power counts in its place. Unusable for windows shorter than an hour.',
  ])
  expect(fritz.domains.every(({ kind, method }) => kind === 'system' && method === 'wall')).toBe(
    true,
  )
  expect(fritz.devices).toMatchObject([{ id: 'wall:fritz-dect-box', kind: 'system' }])
})

test('a plug is polled at its own cadence, and 20 kW are believed', () => {
  const config = { kind: 'fritz-dect', host: 'fritz.box', ain: '1', password: 'x' } as const
  const source = createPolledWall(config)
  expect(source.pacing).toEqual({ type: 'steady', intervalS: 15 })
  expect(Object.values(source.timelines)).toEqual([
    { method: 'wall', type: 'power', maxPowerW: 20_000 },
    { method: 'wall', type: 'tick', maxPowerW: 20_000, resolutionJ: 3600 },
  ])
})

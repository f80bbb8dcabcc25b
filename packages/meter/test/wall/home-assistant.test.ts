import { expect, test } from 'vitest'
import { createWallSource } from '../../src/wall/index.js'
import { fakeClock, sampleOf, sampleOnce } from './sampling.js'
import { type PlugHandler, startPlug } from './server.js'

const TOKEN = 'eyJhbGciOi.J9.x'

/** Home Assistant with the given entities: state and unit. Each answer is a second newer. */
function homeAssistant(entities: Record<string, readonly [string, string | null]>): PlugHandler {
  let seconds = 0
  return ({ method, path, headers }) => {
    const id = path.replace('/api/states/', '')
    if (method !== 'GET' || !path.startsWith('/api/states/')) return
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, body: '401: Unauthorized' }
    const entity = entities[id]
    if (entity === undefined) return { status: 404, body: '{"message":"Entity not found."}' }
    const [state, unit] = entity
    const attributes = { unit_of_measurement: unit, device_class: 'power' }
    seconds += 1
    const last_updated = `2026-01-02T03:04:${10 + seconds}.000000+00:00`
    return { body: JSON.stringify({ entity_id: id, state, attributes, last_updated }) }
  }
}

const CONFIG = { kind: 'home-assistant', token: TOKEN } as const

test.each([
  ['123.4', 'W', 123.4],
  ['0.25', 'kW', 250],
  ['5000', 'mW', 5],
  ['0.0005', 'MW', 500],
])('%s %s is read as watts', async (state, unit, powerW) => {
  await using hub = await startPlug(homeAssistant({ 'sensor.p': [state, unit] }))
  const sample = await sampleOnce({ ...CONFIG, host: hub.host, powerEntity: 'sensor.p' })
  expect(sample).toEqual({ powerW, energyJ: undefined })
  expect(hub.seen).toEqual(['GET /api/states/sensor.p'])
})

test('power and energy come from two entities', async () => {
  const entities = { 'sensor.p': ['10', 'W'], 'sensor.e': ['2', 'kWh'] } as const
  await using hub = await startPlug(homeAssistant(entities))
  const both = { powerEntity: 'sensor.p', energyEntity: 'sensor.e' }
  const sample = await sampleOnce({ ...CONFIG, host: hub.host, ...both })
  expect(sample).toEqual({ powerW: 10, energyJ: 7_200_000 })
})

test.each([
  ['2', 'J', 2],
  ['2', 'kJ', 2000],
  ['2', 'MJ', 2_000_000],
  ['1.5', 'GJ', 1_500_000_000],
  ['5', 'mWh', 18],
  ['2', 'Wh', 7200],
  ['2', 'kWh', 7_200_000],
  ['1.25', 'MWh', 4_500_000_000],
  ['0.002', 'GWh', 7_200_000_000],
  ['0.000002', 'TWh', 7_200_000_000],
  ['1000', 'cal', 4184],
  ['2', 'kcal', 8368],
  ['2', 'Mcal', 8_368_000],
  ['2', 'Gcal', 8_368_000_000],
])('%s %s is read as joules', async (state, unit, energyJ) => {
  await using hub = await startPlug(homeAssistant({ 'sensor.e': [state, unit] }))
  const sample = await sampleOnce({ ...CONFIG, host: hub.host, energyEntity: 'sensor.e' })
  expect(sample.energyJ).toBeCloseTo(energyJ, 6)
})

test('a counter in MWh stands for hours at a small load, and is not called stale', async () => {
  const entities = { 'sensor.p': ['150', 'W'], 'sensor.e': ['1.234', 'MWh'] } as const
  await using hub = await startPlug(homeAssistant(entities))
  const clock = fakeClock()
  const both = { powerEntity: 'sensor.p', energyEntity: 'sensor.e' }
  const config = { ...CONFIG, host: hub.host, ...both }
  await using source = createWallSource(config, { now: clock.now })
  await sampleOf(source)
  clock.wait(600)
  expect((await sampleOf(source)).energyJ).toBe(4_442_400_000)
})

test.each(['unavailable', 'unknown'])(
  'the state %s leaves the other entity usable',
  async (state) => {
    const entities = { 'sensor.p': [state, 'W'], 'sensor.e': ['2', 'Wh'] } as const
    await using hub = await startPlug(homeAssistant(entities))
    const both = { powerEntity: 'sensor.p', energyEntity: 'sensor.e' }
    const sample = await sampleOnce({ ...CONFIG, host: hub.host, ...both })
    expect(sample).toMatchObject({
      powerW: { reason: 'no-data', detail: `Home Assistant says that sensor.p is '${state}'` },
      energyJ: 7200,
    })
  },
)

test('an entity of another unit is refused', async () => {
  await using hub = await startPlug(homeAssistant({ 'sensor.p': ['1', 'A'] }))
  const { powerW } = await sampleOnce({ ...CONFIG, host: hub.host, powerEntity: 'sensor.p' })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: "the unit at 'attributes.unit_of_measurement' is 'A', not one of mW, W, kW, MW, GW, TW",
  })
})

test('an unknown entity and a wrong token say what to do', async () => {
  await using hub = await startPlug(homeAssistant({}))
  const absent = await sampleOnce({ ...CONFIG, host: hub.host, powerEntity: 'sensor.x' })
  expect(absent.powerW).toMatchObject({
    reason: 'driver-mismatch',
    fix: expect.stringContaining('entity id'),
  })
  const wrong = { ...CONFIG, token: 'wrong-one', host: hub.host, powerEntity: 'sensor.x' }
  const denied = await sampleOnce(wrong)
  expect(denied.powerW).toMatchObject({ reason: 'permission-denied' })
  expect(JSON.stringify(denied)).not.toContain('wrong-one')
})

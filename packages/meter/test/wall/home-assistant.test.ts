import { expect, test } from 'vitest'
import { sampleOnce } from './sampling.js'
import { type PlugHandler, startPlug } from './server.js'

const TOKEN = 'eyJhbGciOi.J9.x'

/** Home Assistant with the given entities: state and unit. */
function homeAssistant(entities: Record<string, readonly [string, string | null]>): PlugHandler {
  return ({ method, path, headers }) => {
    const id = path.replace('/api/states/', '')
    if (method !== 'GET' || !path.startsWith('/api/states/')) return
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, body: '401: Unauthorized' }
    const entity = entities[id]
    if (entity === undefined) return { status: 404, body: '{"message":"Entity not found."}' }
    const [state, unit] = entity
    const attributes = { unit_of_measurement: unit, device_class: 'power' }
    const last_updated = '2026-01-02T03:04:05.000000+00:00'
    return { body: JSON.stringify({ entity_id: id, state, attributes, last_updated }) }
  }
}

const CONFIG = { kind: 'home-assistant', token: TOKEN } as const

test.each([
  ['123.4', 'W', 123.4],
  ['0.25', 'kW', 250],
  ['5000', 'mW', 5],
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
    detail: "the unit at 'attributes.unit_of_measurement' is 'A', not one of mW, W, kW",
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

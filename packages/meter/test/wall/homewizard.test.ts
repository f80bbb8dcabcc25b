import { expect, test } from 'vitest'
import { sampleOnce } from './sampling.js'
import { only, startPlug } from './server.js'

test('version 1 of the API gives watts and kilowatt-hours', async () => {
  const data = { wifi_strength: 100, total_power_import_kwh: 30.511, active_power_w: 543.312 }
  await using plug = await startPlug(only('/api/v1/data', data))
  const sample = await sampleOnce({ kind: 'homewizard', host: plug.host })
  expect(sample).toEqual({ powerW: 543.312, energyJ: 30.511 * 3_600_000 })
  expect(plug.seen).toEqual(['GET /api/v1/data'])
})

test('old firmware names the counter after its tariff', async () => {
  const data = { total_power_import_t1_kwh: 2, active_power_w: 1 }
  await using plug = await startPlug(only('/api/v1/data', data))
  const sample = await sampleOnce({ kind: 'homewizard', host: plug.host })
  expect(sample.energyJ).toBe(7_200_000)
})

test('a closed local API says what to turn on', async () => {
  const body = '{"error":{"id":202,"description":"API not enabled"}}'
  await using plug = await startPlug(() => ({ status: 403, body }))
  const { powerW } = await sampleOnce({ kind: 'homewizard', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'permission-denied',
    fix: 'Turn on the local API of the socket in the HomeWizard app.',
  })
})

test('a water meter is not a plug', async () => {
  await using plug = await startPlug(only('/api/v1/data', { active_liter_lpm: 7.2 }))
  const { powerW } = await sampleOnce({ kind: 'homewizard', host: plug.host })
  expect(powerW).toMatchObject({
    reason: 'driver-mismatch',
    detail: "the answer has no number at 'active_power_w'",
  })
})

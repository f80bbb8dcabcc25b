import { expect, test } from 'vitest'
import { probeWall } from '../../src/wall/index.js'
import { only, startPlug } from './server.js'

test('a plug that answers is ready, with its values and its cadence', async () => {
  const data = { active_power_w: 100, total_power_import_kwh: 1 }
  await using plug = await startPlug(only('/api/v1/data', data))
  expect(await probeWall({ kind: 'homewizard', host: plug.host, name: 'desk' })).toEqual({
    status: 'ready',
    detail: 'HomeWizard Energy Socket: 100 W now, counter at 3600000 J',
    name: 'desk',
    cadence: 'about 1 s',
  })
  expect(plug.refused).toEqual([])
})

test('a plug that does not answer says why and what to do', async () => {
  await using plug = await startPlug(() => ({ status: 403 }))
  expect(await probeWall({ kind: 'homewizard', host: plug.host, name: 'desk' })).toEqual({
    status: 'unavailable',
    reason: 'permission-denied',
    detail: `${plug.host}/api/v1/data answered HTTP 403`,
    fix: 'Turn on the local API of the socket in the HomeWizard app.',
    name: 'desk',
    cadence: 'about 1 s',
  })
})

test('one usable reading of two is enough', async () => {
  await using plug = await startPlug(only('/api/v1/data', { active_power_w: 100 }))
  const probe = await probeWall({ kind: 'homewizard', host: plug.host })
  expect(probe.detail).toBe('HomeWizard Energy Socket: 100 W now')
})

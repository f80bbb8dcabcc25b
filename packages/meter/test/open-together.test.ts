import { setTimeout as delay } from 'node:timers/promises'
import { detectMeters, openMeter, totalByMethod } from '@energy-bench/meter'
import { describe, expect, test } from 'vitest'
import { amdGpu } from './amd/trees.js'
import { buildFakeNvml } from './build-fake-nvml.js'
import { createFixture, type Fixture } from './linux/fixture.js'
import { TWO_SOCKETS } from './rapl/trees.js'
import { only, startPlug } from './wall/server.js'

const environment = {}
const nvmlLibraryPath = buildFakeNvml()
const noNvml = { nvmlLibraryPath: '/nowhere/libnvidia-ml.so.1', environment }

function places({ root, procRoot }: Fixture) {
  return { sysRoot: root, procRoot }
}

function workload(domains: readonly { readonly id: string; readonly scope?: string }[]) {
  return domains.filter(({ scope }) => scope === 'workload').map(({ id }) => id)
}

describe('auto opens together what measures', () => {
  test('a GPU, two processors with memory and a plug; the plug is a method of its own', async () => {
    using machine = createFixture(TWO_SOCKETS)
    await using plug = await startPlug(only('/power', { watts: 640 }))
    await using meter = await openMeter({
      nvmlLibraryPath,
      environment,
      ...places(machine),
      wall: [`http-json+http://${plug.host}/power#power=/watts`],
    })
    expect(meter.domains.map(({ id }) => id)).toEqual([
      'nvml:GPU-fake-0000:counter',
      'nvml:GPU-fake-0000:power',
      'rapl:package-0',
      'rapl:package-0:dram',
      'rapl:package-1',
      'rapl:package-1:dram',
      expect.stringMatching(/^wall:http-json-.*:power$/),
    ])
    expect(workload(meter.domains)).toHaveLength(3)
    expect(meter.domains.at(-1)).toMatchObject({ method: 'wall', kind: 'system' })
    expect(meter.selection.at(-1)).toContain('recorded and not counted: rapl:package-0')
    await delay(2600)
    const endS = meter.now()
    const totals = totalByMethod(await meter.energyBetween(endS - 1, endS), meter.domains)
    expect(totals.counter).toMatchObject({ domainIds: ['nvml:GPU-fake-0000:counter'] })
    expect(totals.wall).toMatchObject({ status: 'measured', energyJ: expect.closeTo(640, 0) })
    expect(plug.refused).toEqual([])
  })

  test('work on the CPU counts the processors, and no estimate is needed', async () => {
    using machine = createFixture(TWO_SOCKETS)
    await using meter = await openMeter({ ...noNvml, ...places(machine), runsOn: 'cpu' })
    expect(workload(meter.domains)).toHaveLength(4)
    expect(meter.domains.map(({ method }) => method)).not.toContain('model')
  })

  test('work on the CPU without RAPL is estimated, and the GPU is context', async () => {
    using machine = createFixture()
    const options = { nvmlLibraryPath, environment, ...places(machine) }
    await using meter = await openMeter({ ...options, runsOn: 'cpu' })
    expect(workload(meter.domains)).toEqual(['cpu-estimate'])
    expect(meter.domains).toHaveLength(3)
  })

  test('row 40: an AMD GPU that sleeps is opened, said to be asleep, and not read', async () => {
    using machine = createFixture(amdGpu(1, '03', { power1_average: 90_000_000 }))
    machine.write('class/drm/card1/device/power/runtime_status', 'suspended')
    await using meter = await openMeter({ ...noNvml, ...places(machine) })
    await delay(200)
    const { domains } = await meter.energyBetween(meter.now() - 0.1, meter.now())
    expect(Object.values(domains)).toMatchObject([{ status: 'unavailable', reason: 'asleep' }])
  })
})

describe('a meter that is named must open', () => {
  test('two by name', async () => {
    using machine = createFixture(TWO_SOCKETS)
    const meters = { meter: ['nvml', 'rapl'], nvmlLibraryPath, environment } as const
    await using meter = await openMeter({ ...meters, ...places(machine) })
    expect(meter.domains).toHaveLength(6)
  })

  test('one of two that is missing is an error with its fix', async () => {
    using machine = createFixture()
    const opening = openMeter({
      meter: ['nvml', 'rapl'],
      nvmlLibraryPath,
      environment,
      ...places(machine),
    })
    await expect(opening).rejects.toMatchObject({
      code: 'meter-unavailable',
      message: expect.stringContaining('RAPL: no-device'),
      fix: expect.stringContaining('modprobe'),
    })
  })

  test('a plug that is offline is an error with its fix, beside all that works', async () => {
    const opening = openMeter({ nvmlLibraryPath, environment, wall: ['kasa://127.0.0.1:9'] })
    await expect(opening).rejects.toMatchObject({
      code: 'meter-unavailable',
      message: expect.stringContaining('wall plug: no-device: kasa-127.0.0.1-9'),
      fix: expect.any(String),
    })
  })

  test('an address that is wrong is refused without its password', async () => {
    const opening = openMeter({ wall: ['tapo://me:geheim@192.168.1.9?colour=red'] })
    await expect(opening).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.not.stringContaining('geheim'),
    })
  })

  test('a meter that nobody knows is refused', async () => {
    // @ts-expect-error no such meter
    await expect(openMeter({ meter: 'gauge' })).rejects.toMatchObject({ code: 'usage-invalid' })
  })

  test('what is named counts, wherever the work runs', async () => {
    const options = { meter: 'nvml', runsOn: 'cpu', nvmlLibraryPath, environment } as const
    await using meter = await openMeter(options)
    expect(workload(meter.domains)).toHaveLength(2)
  })
})

test('a signal that fired opens nothing', async () => {
  const reason = new Error('no more')
  await expect(openMeter({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('every way of measuring is listed, with its remedy where it is missing', async () => {
  using machine = createFixture(TWO_SOCKETS)
  const meters = await detectMeters({ ...noNvml, ...places(machine) })
  expect(meters.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'nvml unavailable',
    'amd unavailable',
    'intel unavailable',
    'apple unavailable',
    'rapl available',
    'wall unavailable',
    'cpu available',
    'replay unavailable',
  ])
})

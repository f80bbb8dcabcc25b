import { expect, test } from 'vitest'
import type { DetectOptions } from '../../src/drivers/driver.js'
import { nvmlDriver } from '../../src/drivers/nvml-driver.js'
import { buildFakeNvml } from '../build-fake-nvml.js'

type Scenario = Readonly<Record<string, number>>

async function detect(scenario: Scenario, options: DetectOptions = {}) {
  const nvmlLibraryPath = buildFakeNvml(scenario)
  return nvmlDriver.detect({ nvmlLibraryPath, environment: {}, sysRoot: '/nowhere', ...options })
}

function devicesIn(found: Awaited<ReturnType<typeof detect>>): unknown {
  if (found.status === 'unavailable') return found.reason
  return found.specs.flatMap((spec) => ('devices' in spec ? spec.devices : []))
}

test.each<[string, Scenario, DetectOptions, unknown]>([
  ['all GPUs', { GPUS: 2 }, {}, ['GPU-fake-0000', 'GPU-fake-0001']],
  ['by bus address', { GPUS: 2 }, { devices: ['00000000:01:00.0'] }, ['GPU-fake-0001']],
  [
    'the GPU that runs the process, by what it draws too',
    { GPUS: 3 },
    { processIds: [4490] },
    ['GPU-fake-0002'],
  ],
  [
    'one of 8 by CUDA_VISIBLE_DEVICES [7]',
    { GPUS: 8 },
    { environment: { CUDA_VISIBLE_DEVICES: '3' } },
    ['GPU-fake-0003'],
  ],
  [
    'the GPU of exactly the MIG slice in CUDA_VISIBLE_DEVICES [6]',
    { GPUS: 3, MIG: 1 },
    { environment: { CUDA_VISIBLE_DEVICES: 'MIG-fake-2-1' } },
    ['GPU-fake-0002'],
  ],
  [
    'the GPU of a MIG slice by name [6]',
    { GPUS: 2, MIG: 1 },
    { devices: ['MIG-fake-1-0'] },
    ['GPU-fake-0001'],
  ],
  [
    'none by an empty CUDA_VISIBLE_DEVICES',
    {},
    { environment: { CUDA_VISIBLE_DEVICES: '' } },
    'no-device',
  ],
  ['one without a counter [1, 2]', { ENERGY_RESULT: 3 }, {}, ['GPU-fake-0000']],
  [
    'none that tells neither energy nor power [2]',
    { ENERGY_RESULT: 3, USAGE_RESULT: 3 },
    {},
    'not-supported',
  ],
  [
    'the GPUs that tell their energy, beside one that does not [2]',
    { GPUS: 3, MUTE_GPU: 1 },
    {},
    ['GPU-fake-0000', 'GPU-fake-0002'],
  ],
  [
    'none where the GPU that was named tells nothing [2]',
    { GPUS: 2, MUTE_GPU: 1 },
    { devices: ['GPU-fake-0000', 'GPU-fake-0001'] },
    'not-supported',
  ],
  [
    'none where the work runs on a GPU that tells nothing [2]',
    { GPUS: 2, MUTE_GPU: 1 },
    { processIds: [4301] },
    'not-supported',
  ],
  ['one with nothing but the oldest calls [36]', { BARE: 1 }, {}, ['GPU-fake-0000']],
])('finds %s', async (...[, scenario, options, expected]) => {
  expect(devicesIn(await detect(scenario, options))).toEqual(expected)
})

test('a number among different models is assumed, and said so [8]', async () => {
  const found = await detect({ GPUS: 2, MIXED: 1 }, { environment: { CUDA_VISIBLE_DEVICES: '1' } })
  expect(found.detail).toContain('assumed: ')
})

test('a GPU that is left out because it tells nothing is named [2]', async () => {
  const found = await detect({ GPUS: 2, MUTE_GPU: 1 })
  expect(found.detail).toBe(
    'all GPUs, since none was named; GPU-fake-0001 is left out, since it tells neither its energy nor its power',
  )
})

test('a driver that was updated without a reboot is told with its remedy', async () => {
  expect(await detect({ INIT_RESULT: 18 })).toMatchObject({
    reason: 'driver-mismatch',
    fix: expect.stringMatching(/^Reboot/),
  })
})

test('macOS is not searched for a library that cannot be there', () => {
  expect(nvmlDriver.whyAbsent?.({ platform: 'darwin' })).toMatchObject({ reason: 'not-supported' })
  expect(nvmlDriver.whyAbsent?.({ platform: 'linux' })).toBeUndefined()
})

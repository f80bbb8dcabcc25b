import type { DeviceFacts } from '@energy-bench/meter'
import { unavailable } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import { deviceChecks } from '../src/doctor/device-checks.js'

const gpu: DeviceFacts = {
  id: 'GPU-1234',
  kind: 'gpu',
  name: 'H200',
  driver: '580.1',
  memoryBytes: 140 * 2 ** 30,
  powerLimitW: 700,
  powerLimitDefaultW: 700,
  powerLimitRangeW: [200, 700],
  counter: 'available',
  isEcc: true,
  isMig: false,
  isPersistent: true,
  busId: '0000:65:00.0',
  architecture: 'Hopper',
  computeCapability: '9.0',
  virtualization: 'none',
  cuda: '12.8',
}

test('a GPU is told with its limits, its modes and its counter', () => {
  expect(deviceChecks([gpu])).toEqual([
    {
      name: 'GPU H200',
      status: 'ok',
      detail: [
        'GPU-1234, driver 580.1, CUDA 12.8, bus 0000:65:00.0, Hopper, 140 GiB',
        'power limit 700 W (factory 700 W, can be set from 200 to 700 W)',
        'ECC on, MIG off, persistence mode on',
        'energy counter: yes',
      ].join('\n'),
    },
  ])
})

test('persistence mode that is off is a warning with its remedy', () => {
  expect(deviceChecks([{ ...gpu, isPersistent: false }])[0]).toMatchObject({
    status: 'warning',
    fix: expect.stringContaining('sudo nvidia-smi -pm 1'),
  })
})

test('a power limit that is not the one of the factory is a warning', () => {
  expect(deviceChecks([{ ...gpu, powerLimitW: 400 }])[0]).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('power limit 400 W (factory 700 W, can be set'),
    fix: expect.stringContaining('quote it with each figure'),
  })
})

test('MIG is said to be the whole GPU', () => {
  expect(deviceChecks([{ ...gpu, isMig: true }])[0]?.detail).toContain(
    'MIG on (energy is of the whole GPU, never of a slice)',
  )
})

test('what a driver does not tell is left out, and a counter that is missing has its reason', () => {
  const none = unavailable('not-supported', 'the driver has no file for it')
  const bare: DeviceFacts = {
    id: '0000:03:00.0',
    kind: 'gpu',
    name: 'AMD GPU',
    driver: 'amdgpu',
    memoryBytes: none,
    powerLimitW: none,
    powerLimitDefaultW: none,
    counter: unavailable('not-supported', 'the driver has no energy counter for this device'),
  }
  expect(deviceChecks([bare])).toEqual([
    {
      name: 'GPU AMD GPU',
      status: 'ok',
      detail: [
        '0000:03:00.0, driver amdgpu',
        'power limit not told by the driver',
        'no energy counter (not-supported: the driver has no energy counter for this device)',
      ].join('\n'),
    },
  ])
})

test('processors and plugs are no GPUs', () => {
  expect(deviceChecks([{ ...gpu, kind: 'cpu' }])).toEqual([])
})

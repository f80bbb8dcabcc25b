import { isUnavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { type Nvml, openNvml } from '../../src/nvml/binding.js'
import type { NvmlDevice } from '../../src/nvml/device-binding.js'
import { nvmlLibraryPaths } from '../../src/nvml/library-path.js'
import { processIdsIn } from '../../src/nvml/processes.js'
import { nvmlFailure } from '../../src/nvml/status.js'
import { throttleNames } from '../../src/nvml/throttle.js'
import { buildFakeNvml } from '../build-fake-nvml.js'

function open(scenario: Readonly<Record<string, number>> = {}): Nvml {
  const nvml = openNvml(buildFakeNvml(scenario))
  if (isUnavailable(nvml)) throw new Error(nvml.detail)
  return nvml
}

function deviceOf(nvml: Nvml, uuid: string): NvmlDevice {
  const device = nvml.deviceByUuid(uuid)
  if (isUnavailable(device)) throw new Error(device.detail)
  return device
}

describe('a GPU that answers', () => {
  const nvml = open({ GPUS: 2 })
  const device = deviceOf(nvml, 'GPU-fake-0001')

  test('gives names as text', () => {
    expect(nvml.driverVersion()).toBe('580.0.fake')
    expect(nvml.deviceCount()).toBe(2)
    expect(device.uuid()).toBe('GPU-fake-0001')
    expect(device.name()).toBe('Fake H200')
    expect(device.pciBusId()).toBe('00000000:00:01.0')
  })

  test('gives figures in our units', () => {
    expect(device.powerW()).toBe(500)
    expect(device.powerLimitW()).toBe(700)
    expect(device.enforcedPowerLimitW()).toBe(700)
    expect(device.defaultPowerLimitW()).toBe(700)
    expect(device.temperatureC()).toBe(41)
    expect(device.clockHz()).toBe(1.98e9)
    expect(device.memoryClockHz()).toBe(3.201e9)
    expect(device.memoryBytes()).toBe(150754820096)
    expect(device.isMig()).toBe(false)
    expect(device.totalEnergyJ()).toBeGreaterThan(0)
  })

  test('lists more processes than the first buffer holds', () => {
    expect(device.processIds()).toEqual([
      4300, 4301, 4302, 4303, 4304, 4305, 4306, 4307, 4308, 4309,
    ])
  })

  test('reads throttle reasons under their older name', () => {
    expect(device.throttleReasons()).toEqual(['sw-power-cap', 'sw-thermal-slowdown'])
  })

  test('a GPU that is not there is a value', () => {
    expect(nvml.deviceByIndex(5)).toMatchObject({ status: 'unavailable', reason: 'failed' })
    expect(nvml.deviceByUuid('GPU-other')).toMatchObject({ reason: 'no-device' })
  })
})

test('a missing library is a value with a remedy', () => {
  expect(openNvml('/nowhere/libnvidia-ml.so.1')).toMatchObject({
    reason: 'library-missing',
    fix: 'Install the NVIDIA driver; in a container, start it with --gpus all.',
  })
})

test.each([
  [3, 'not-supported', undefined],
  [4, 'permission-denied', /dev\/nvidiactl/],
  [9, 'driver-mismatch', /modprobe nvidia/],
  [13, 'not-supported', /Update/],
  [15, 'device-lost', /Reboot/],
  [18, 'driver-mismatch', /^Reboot/],
  [999, 'failed', /restart/],
  [12345, 'failed', undefined],
])('return code %d means %s', (code, reason, fix) => {
  const failure = nvmlFailure('nvmlX', code)
  expect(failure).toMatchObject({
    reason,
    detail: expect.stringContaining(`nvmlX returned ${code}`),
  })
  if (fix === undefined) expect(failure.fix).toBeUndefined()
  else expect(failure.fix).toMatch(fix)
})

test('idle holds nothing down, the rest has names', () => {
  expect(throttleNames(0x1n)).toEqual([])
  expect(throttleNames(0x1en)).toEqual([
    'applications-clocks-setting',
    'sw-power-cap',
    'hw-slowdown',
    'sync-boost',
  ])
})

test('the longer process entries of early 535 drivers are told apart', () => {
  const list = Buffer.alloc(96)
  for (const [index, id] of [11, 12, 13].entries()) list.writeUInt32LE(id, 32 * index)
  expect(processIdsIn(list, 3)).toEqual([11, 12, 13])
})

test('the library is looked for by name first, then in WSL, NixOS and container places', () => {
  expect(nvmlLibraryPaths('linux')[0]).toBe('libnvidia-ml.so.1')
  expect(nvmlLibraryPaths('linux')).toContain('/usr/lib/wsl/lib/libnvidia-ml.so.1')
  expect(nvmlLibraryPaths('win32')[0]).toBe('nvml.dll')
})

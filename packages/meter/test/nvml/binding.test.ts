import { isUnavailable } from '@energy-bench/spec'
import { describe, expect, test } from 'vitest'
import { type Nvml, openNvml } from '../../src/nvml/binding.js'
import type { NvmlDevice } from '../../src/nvml/device-binding.js'
import { architectureName, gpuFacts } from '../../src/nvml/facts.js'
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
    expect(device.pciBusId()).toBe('00000000:01:00.0')
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
    expect(device.powerLimitRangeW()).toEqual([200, 700])
    expect(device.totalEnergyJ()).toBeGreaterThan(0)
  })

  test('lists what computes and what draws, more than the first buffer holds', () => {
    expect(device.processIds()).toEqual([
      4300, 4301, 4302, 4303, 4304, 4305, 4306, 4307, 4308, 4309, 4390,
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

test('the facts of a GPU are collected, and what the driver does not tell is not made up', () => {
  const nvml = open({ LIMIT_RESULT: 3, ECC_RESULT: 3, VIRTUALIZATION: 1, PERSISTENCE: 0 })
  const missing = expect.objectContaining({ reason: 'not-supported' })
  const id = 'GPU-fake-0000'
  expect(gpuFacts(nvml, deviceOf(nvml, id), id)).toEqual({
    id,
    kind: 'gpu',
    name: 'Fake H200',
    driver: '580.0.fake',
    memoryBytes: 150754820096,
    powerLimitW: missing,
    powerLimitDefaultW: missing,
    powerLimitRangeW: missing,
    counter: 'available',
    isEcc: missing,
    isMig: false,
    isPersistent: false,
    busId: '00000000:00:00.0',
    architecture: 'Hopper',
    computeCapability: '9.0',
    virtualization: 'passed through',
    cuda: '12.8',
  })
  expect(architectureName(0xffffffff)).toBe('unknown (4294967295)')
})

test('a library with only the first version of each function will do', () => {
  const nvml = open({ OLD_SYMBOLS: 1 })
  expect(nvml.deviceCount()).toBe(1)
  expect(nvml.cudaVersion()).toBe('12.8')
  const device = nvml.deviceByPciBusId('0000:00:00.0')
  if (isUnavailable(device)) throw new Error(device.detail)
  expect(device.pciBusId()).toBe('0000:00:00.0')
  expect(device.processIds()).toContain(4209)
})

test('what a library lacks is not supported, and the rest goes on [36]', () => {
  const nvml = open({ BARE: 1 })
  const device = deviceOf(nvml, 'GPU-fake-0000')
  expect(device.powerW()).toBe(400)
  const missing = [
    nvml.nvmlVersion(),
    nvml.cudaVersion(),
    nvml.deviceByPciBusId('0000:00:00.0'),
    nvml.parentOfMig('GPU-fake-0000'),
    device.pciBusId(),
    device.powerSamples(0),
    device.fields([{ id: 186 }])[0],
    device.powerLimitW(),
    device.powerLimitRangeW(),
    device.temperatureC(),
    device.clockHz(),
    device.throttleReasons(),
    device.stateFields().throttledS,
    device.stateFields().memoryTemperatureC,
    device.memoryBytes(),
    device.processIds(),
    device.isMig(),
    device.isPersistent(),
    device.architecture(),
    device.computeCapability(),
    device.virtualizationMode(),
  ]
  for (const value of missing) expect(value).toMatchObject({ reason: 'not-supported' })
})

test('a MIG slice leads to its own GPU [6]', () => {
  const nvml = open({ GPUS: 3, MIG: 1 })
  const parent = nvml.parentOfMig('MIG-fake-2-4')
  if (isUnavailable(parent)) throw new Error(parent.detail)
  expect(parent.uuid()).toBe('GPU-fake-0002')
  expect(parent.isMig()).toBe(true)
  expect(nvml.parentOfMig('MIG-fake-2-9')).toMatchObject({ reason: 'no-device' })
})

test('memory is read by the older call where the newer fails, and is not supported where it is shared [43]', () => {
  const older = deviceOf(open({ MEMORY_V2_RESULT: 3 }), 'GPU-fake-0000')
  expect(older.memoryBytes()).toBe(150754820096)
  const shared = deviceOf(open({ MEMORY_V2_RESULT: 3, MEMORY_RESULT: 3 }), 'GPU-fake-0000')
  expect(shared.memoryBytes()).toMatchObject({ reason: 'not-supported' })
  expect(shared.powerW()).toBe(400)
})

test('a limit that a laptop does not tell is not supported, never 0 [39]', () => {
  const device = deviceOf(open({ LIMIT_RESULT: 3 }), 'GPU-fake-0000')
  expect(device.powerLimitW()).toMatchObject({ reason: 'not-supported' })
  expect(device.powerLimitRangeW()).toMatchObject({ reason: 'not-supported' })
})

describe('the time for which the clocks were held down', () => {
  test.each([269, 251])('is read by cause where the fields begin at %d', (first) => {
    const device = deviceOf(open({ THROTTLE_FIELDS: first }), 'GPU-fake-0000')
    expect(device.stateFields().throttledS).toEqual({
      'sw-power-cap': expect.closeTo(5, 0),
      'sw-thermal-slowdown': 2.5,
      'hw-thermal-slowdown': 1.5,
      'hw-power-brake-slowdown': 0,
    })
  })

  test('comes from the older call where there are no fields', () => {
    const device = deviceOf(open({ THROTTLE_FIELDS: 0, VIOLATIONS: 1 }), 'GPU-fake-0000')
    expect(device.stateFields().throttledS).toEqual({ 'sw-power-cap': 3, 'sw-thermal-slowdown': 1 })
  })

  test('is not supported where there is neither', () => {
    const device = deviceOf(open({ THROTTLE_FIELDS: 0 }), 'GPU-fake-0000')
    expect(device.stateFields().throttledS).toMatchObject({ reason: 'not-supported' })
  })
})

test('the temperature of the memory is read with them, and a GPU without that sensor says so', () => {
  const device = deviceOf(open(), 'GPU-fake-0000')
  expect(device.stateFields().memoryTemperatureC).toBe(52)
  const bare = deviceOf(open({ MEMORY_CELSIUS: 0 }), 'GPU-fake-0000')
  expect(bare.stateFields().memoryTemperatureC).toMatchObject({ reason: 'not-supported' })
})

test('a power that only the module has is not given for the GPU', () => {
  const device = deviceOf(open({ FIELD_RESULT: 3, MODULE_MW: 500_000 }), 'GPU-fake-0000')
  expect(device.fields([{ id: 186 }, { id: 186, scope: 1 }])).toEqual([
    expect.objectContaining({ reason: 'not-supported' }),
    { value: 500_000, type: 1 },
  ])
})

test('a 32-bit program is refused, since the library gives it garbage [38]', () => {
  expect(openNvml(buildFakeNvml(), 'ia32')).toMatchObject({
    reason: 'not-supported',
    fix: 'Use a 64-bit Node.js.',
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
  [10, 'no-data', /^Try again/],
  [18, 'driver-mismatch', /^Reboot/],
  [27, 'no-data', /ready/],
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

test('the longer process entries of an early 535 driver are read through the library', () => {
  const device = deviceOf(open({ PROCESS_BYTES: 32 }), 'GPU-fake-0000')
  expect(device.processIds()).toEqual([
    4200, 4201, 4202, 4203, 4204, 4205, 4206, 4207, 4208, 4209, 4290,
  ])
})

test('process ids that cannot be are given up with a reason', () => {
  const device = deviceOf(open({ PROCESS_GARBAGE: 1 }), 'GPU-fake-0000')
  expect(device.processIds()).toMatchObject({ reason: 'implausible' })
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

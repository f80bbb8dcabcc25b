import { isUnavailable } from '@energy-bench/spec'
import koffi from 'koffi'
import { expect, test } from 'vitest'
import { openNvml } from '../../src/nvml/binding.js'
import { listGpus } from '../../src/nvml/list-gpus.js'
import { buildFakeNvml } from '../build-fake-nvml.js'
import { createFixture, type Fixture } from '../linux/fixture.js'

function open(path: string) {
  const nvml = openNvml(path)
  if (isUnavailable(nvml)) throw new Error(nvml.detail)
  return nvml
}

function addGpu(fixture: Fixture, busId: string, status: string): void {
  const folder = `bus/pci/devices/${busId}`
  fixture.write(`${folder}/vendor`, '0x10de')
  fixture.write(`${folder}/class`, '0x030200')
  fixture.write(`${folder}/power/runtime_status`, status)
}

function rootsOf(fixture: Fixture) {
  return { sysRoot: fixture.root, procRoot: fixture.procRoot }
}

test('a GPU that is suspended is listed and not touched [40]', () => {
  using fixture = createFixture()
  addGpu(fixture, '0000:00:00.0', 'active')
  addGpu(fixture, '0000:01:00.0', 'suspended')
  fixture.write('bus/pci/devices/0000:02:00.0/vendor', '0x8086')
  fixture.write(
    'proc/driver/nvidia/gpus/0000:01:00.0/information',
    'Model: \t\t NVIDIA GeForce RTX 4060 Laptop GPU\nGPU UUID: \t GPU-0bf3',
  )
  const path = buildFakeNvml({ GPUS: 2 }, 'suspended')
  const nvml = open(path)
  expect(listGpus(nvml, rootsOf(fixture))).toMatchObject([
    { index: 0, uuid: 'GPU-fake-0000', busId: '0000:00:00.0', isAsleep: false },
    {
      index: 1,
      uuid: 'GPU-0bf3',
      name: 'NVIDIA GeForce RTX 4060 Laptop GPU',
      busId: '0000:01:00.0',
      isAsleep: true,
    },
  ])
  const touches = koffi.load(path).func('fakeTouches', 'uint', ['uint'])
  expect([touches(0), touches(1)]).toEqual([1, 0])
})

test('a suspended GPU whose UUID was never told is known by its bus address [40]', () => {
  using fixture = createFixture()
  addGpu(fixture, '0000:01:00.0', 'suspended')
  fixture.write(
    'proc/driver/nvidia/gpus/0000:01:00.0/information',
    'GPU UUID: \t GPU-????????-????-????-????-????????????',
  )
  expect(listGpus(open(buildFakeNvml()), rootsOf(fixture))).toMatchObject([
    { uuid: '0000:01:00.0', isAsleep: true },
  ])
})

test('where the kernel tells nothing, NVML is asked by index', () => {
  using fixture = createFixture()
  expect(
    listGpus(open(buildFakeNvml({ GPUS: 2, MIXED: 1, MIG: 1 })), rootsOf(fixture)),
  ).toMatchObject([
    { index: 0, name: 'Fake H200', busId: '0000:00:00.0', isMig: false },
    { index: 1, name: 'Fake 3060', busId: '0000:01:00.0', isMig: true },
  ])
})

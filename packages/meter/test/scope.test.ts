import type { EnergyDomain, EnergyMethod } from '@energy-bench/spec'
import { expect, test } from 'vitest'
import type { MeterId } from '../src/drivers/driver.js'
import { measuresWork, placeOf, type RunsOn, withScopes } from '../src/scope.js'

function domain(id: string, kind: EnergyDomain['kind'], method: EnergyMethod = 'counter') {
  return { id, kind, method, label: id, deviceId: id }
}

const machine: Readonly<Partial<Record<MeterId, readonly EnergyDomain[]>>> = {
  nvml: [domain('nvidia', 'gpu')],
  amd: [domain('radeon', 'gpu')],
  rapl: [domain('package', 'cpu'), domain('dram', 'dram'), domain('psys', 'system')],
  wall: [domain('plug', 'system', 'wall')],
  apple: [domain('p-cores', 'cpu'), domain('igpu', 'gpu'), domain('pstr', 'system')],
}

function counted(drivers: readonly MeterId[], runsOn: RunsOn, isNamed = false): readonly string[] {
  const opened = drivers.map((driver) => ({ driver, domains: machine[driver] ?? [] }))
  const place = placeOf(opened, { runsOn, isNamed })
  return opened
    .flatMap((each) => withScopes(each, place))
    .filter(({ scope }) => scope === 'workload')
    .map(({ id }) => id)
}

test('work on a GPU counts the GPU and the plug; processor, memory and platform are context', () => {
  expect(counted(['nvml', 'rapl', 'wall'], 'gpu')).toEqual(['nvidia', 'plug'])
})

test('work on the CPU counts processor and memory; the GPU is context', () => {
  expect(counted(['nvml', 'rapl'], 'cpu')).toEqual(['package', 'dram'])
})

test('unknown means the GPU where there is one, else the CPU', () => {
  expect(counted(['nvml', 'rapl'], 'unknown')).toEqual(['nvidia'])
  expect(counted(['rapl'], 'unknown')).toEqual(['package', 'dram'])
})

test('an Apple chip counts whole wherever the work runs, and its system power never', () => {
  for (const runsOn of ['gpu', 'cpu', 'unknown'] as const)
    expect(counted(['apple'], runsOn)).toEqual(['p-cores', 'igpu'])
})

test('with GPUs of two makers one is counted, unless both are named', () => {
  expect(counted(['nvml', 'amd'], 'gpu')).toEqual(['nvidia'])
  expect(counted(['nvml', 'amd'], 'gpu', true)).toEqual(['nvidia', 'radeon'])
})

test('an estimate and a context domain do not measure the work', () => {
  expect(measuresWork([{ ...domain('e', 'cpu', 'model'), scope: 'workload' }])).toBe(false)
  expect(measuresWork([{ ...domain('g', 'gpu'), scope: 'context' }])).toBe(false)
  expect(measuresWork([{ ...domain('g', 'gpu'), scope: 'workload' }])).toBe(true)
})

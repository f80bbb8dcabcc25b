import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { Nvml } from './binding.js'
import type { NvmlDevice } from './device-binding.js'

/** What can be told of a GPU beyond `DeviceInfo`, for people; a fact that the driver does not tell is left out. */
export type GpuFacts = Readonly<Record<string, string>>

/** By nvmlDeviceArchitecture_t. */
const architectures: Readonly<Record<number, string>> = {
  2: 'Kepler',
  3: 'Maxwell',
  4: 'Pascal',
  5: 'Volta',
  6: 'Turing',
  7: 'Ampere',
  8: 'Ada',
  9: 'Hopper',
  10: 'Blackwell',
  13: 'Rubin',
}
/** By nvmlGpuVirtualizationMode_t. */
const virtualization = [
  'none',
  'passed through',
  'virtual GPU',
  'host of virtual GPUs',
  'host (vSGA)',
]

/** Collects the facts. */
export function gpuFacts(nvml: Nvml, device: NvmlDevice): GpuFacts {
  const entries: readonly (readonly [string, string | Unavailable])[] = [
    ['driver', nvml.driverVersion()],
    ['NVML', nvml.nvmlVersion()],
    ['CUDA', nvml.cudaVersion()],
    ['bus', device.pciBusId()],
    ['architecture', told(device.architecture(), architectureName)],
    ['compute capability', told(device.computeCapability(), (pair) => pair.join('.'))],
    ['persistence mode', told(device.isPersistent(), onOrOff)],
    ['MIG', told(device.isMig(), onOrOff)],
    [
      'virtualization',
      told(device.virtualizationMode(), (mode) => virtualization[mode] ?? `${mode}`),
    ],
    ['power limit', told(device.enforcedPowerLimitW(), watts)],
    ['power limit at the factory', told(device.defaultPowerLimitW(), watts)],
    [
      'power limit range',
      told(device.powerLimitRangeW(), (range) => range.map(watts).join(' to ')),
    ],
  ]
  return Object.fromEntries(
    entries.flatMap(([name, text]) => (isUnavailable(text) ? [] : [[name, text]])),
  )
}

/** Newer architectures than this file have a number and no name. */
export function architectureName(number: number): string {
  return architectures[number] ?? `unknown (${number})`
}

function told<Value>(
  value: Value | Unavailable,
  text: (value: Value) => string,
): string | Unavailable {
  return isUnavailable(value) ? value : text(value)
}

function onOrOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

function watts(powerW: number): string {
  return `${powerW} W`
}

import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { DeviceFacts } from '../device-facts.js'
import type { Nvml } from './binding.js'
import type { NvmlDevice } from './device-binding.js'

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

/** Collects what NVML tells of a GPU. */
export function gpuFacts(nvml: Nvml, device: NvmlDevice, id: string): DeviceFacts {
  const name = device.name()
  return {
    id,
    kind: 'gpu',
    name: isUnavailable(name) ? id : name,
    driver: nvml.driverVersion(),
    memoryBytes: device.memoryBytes(),
    powerLimitW: device.enforcedPowerLimitW(),
    powerLimitDefaultW: device.defaultPowerLimitW(),
    powerLimitRangeW: device.powerLimitRangeW(),
    counter: told(device.totalEnergyJ(), () => 'available' as const),
    isEcc: device.isEcc(),
    isMig: device.isMig(),
    isPersistent: device.isPersistent(),
    busId: device.pciBusId(),
    architecture: told(device.architecture(), architectureName),
    computeCapability: told(device.computeCapability(), (pair) => pair.join('.')),
    virtualization: told(
      device.virtualizationMode(),
      (mode) => virtualization[mode] ?? `unknown (${mode})`,
    ),
    cuda: nvml.cudaVersion(),
  }
}

/** Newer architectures than this file have a number and no name. */
export function architectureName(number: number): string {
  return architectures[number] ?? `unknown (${number})`
}

function told<Value, Told>(
  value: Value | Unavailable,
  tell: (value: Value) => Told,
): Told | Unavailable {
  return isUnavailable(value) ? value : tell(value)
}

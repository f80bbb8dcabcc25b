import { type DeviceInfo, type DeviceState, isUnavailable } from '@energy-bench/spec'
import type { Nvml } from './binding.js'
import type { NvmlDevice } from './device-binding.js'

/** What does not change about a GPU. */
export function describeGpu(nvml: Nvml, uuid: string, device: NvmlDevice): DeviceInfo {
  const name = device.name()
  return {
    id: uuid,
    kind: 'gpu',
    name: isUnavailable(name) ? uuid : name,
    driver: nvml.driverVersion(),
    memoryBytes: device.memoryBytes(),
    powerLimitW: device.powerLimitW(),
    powerLimitDefaultW: device.defaultPowerLimitW(),
  }
}

/** How a GPU does at `timeS` (monotonic seconds). */
export function stateOf(uuid: string, device: NvmlDevice, timeS: number): DeviceState {
  return {
    deviceId: uuid,
    timeS,
    powerW: device.powerW(),
    temperatureC: device.temperatureC(),
    clockHz: device.clockHz(),
    memoryClockHz: device.memoryClockHz(),
    powerLimitW: device.enforcedPowerLimitW(),
    throttleReasons: device.throttleReasons(),
    processIds: device.processIds(),
  }
}

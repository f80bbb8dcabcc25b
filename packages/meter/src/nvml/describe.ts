import { type DeviceInfo, type DeviceState, isUnavailable, unavailable } from '@energy-bench/spec'
import type { Nvml } from './binding.js'
import type { NvmlDevice } from './device-binding.js'
import type { Gpu } from './gpu.js'

/** What does not change about a GPU. */
export function describeGpu(nvml: Nvml, { uuid, name, device }: Gpu): DeviceInfo {
  return {
    id: uuid,
    kind: 'gpu',
    name,
    driver: nvml.driverVersion(),
    memoryBytes: device.memoryBytes(),
    powerLimitW: device.powerLimitW(),
    powerLimitDefaultW: device.defaultPowerLimitW(),
  }
}

/** How a GPU does at `timeS` (monotonic seconds). */
export function stateOf({ uuid, device, maxPowerW }: Gpu, timeS: number): DeviceState {
  return {
    deviceId: uuid,
    timeS,
    powerW: plausiblePowerW(device, maxPowerW),
    temperatureC: device.temperatureC(),
    clockHz: device.clockHz(),
    memoryClockHz: device.memoryClockHz(),
    powerLimitW: device.enforcedPowerLimitW(),
    throttleReasons: device.throttleReasons(),
    ...device.stateFields(),
    processIds: device.processIds(),
  }
}

function plausiblePowerW(device: NvmlDevice, maxPowerW: number): DeviceState['powerW'] {
  const powerW = device.powerW()
  if (isUnavailable(powerW) || powerW <= maxPowerW) return powerW
  return unavailable('implausible', `the device said ${powerW} W, limit ${maxPowerW} W`)
}

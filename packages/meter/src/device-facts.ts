import {
  type DeviceInfo,
  type EnergyDomain,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'

/** What a driver knows of a device before anything is measured. What it cannot tell of any device is left out. */
export interface DeviceFacts extends DeviceInfo {
  /** Whether the device counts its energy by itself (reading A). */
  readonly counter: 'available' | Unavailable
  /** Least and most that the power limit can be set to, watts. */
  readonly powerLimitRangeW?: readonly [leastW: number, mostW: number] | Unavailable
  readonly isEcc?: boolean | Unavailable
  readonly isMig?: boolean | Unavailable
  /** While it is off, the driver may unload with its last user, and the counter then starts anew. */
  readonly isPersistent?: boolean | Unavailable
  /** Bus address. */
  readonly busId?: string | Unavailable
  readonly architecture?: string | Unavailable
  /** For example `9.0`. */
  readonly computeCapability?: string | Unavailable
  /** Whether it is a virtual GPU, for people. */
  readonly virtualization?: string | Unavailable
  /** Newest CUDA that the driver runs. */
  readonly cuda?: string | Unavailable
}

/** The facts of the devices of an opened source. */
export function factsOf({
  devices,
  domains,
}: {
  readonly devices: readonly DeviceInfo[]
  readonly domains: readonly EnergyDomain[]
}): readonly DeviceFacts[] {
  return devices.map((device) => {
    const counts = domains.some(
      ({ deviceId, method }) => deviceId === device.id && method === 'counter',
    )
    return { ...device, counter: counts ? 'available' : noCounter }
  })
}

const noCounter = unavailable('not-supported', 'the driver has no energy counter for this device')

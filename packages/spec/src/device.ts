import type { Unavailable } from './unavailable.js'

/** A device that a meter watches. */
export interface DeviceInfo {
  /** UUID where there is one, else a stable local name such as `cpu`. */
  readonly id: string
  readonly kind: 'gpu' | 'cpu' | 'system'
  readonly name: string
  readonly driver: string | Unavailable
  readonly memoryBytes: number | Unavailable
  readonly powerLimitW: number | Unavailable
  readonly powerLimitDefaultW: number | Unavailable
}

/** What a device said of itself at one moment. */
export interface DeviceState {
  readonly deviceId: string
  /** Monotonic seconds, the clock of the meter. */
  readonly timeS: number
  readonly powerW: number | Unavailable
  readonly temperatureC: number | Unavailable
  /** Of the memory, for a device that measures it apart. */
  readonly memoryTemperatureC?: number | Unavailable
  readonly clockHz: number | Unavailable
  readonly memoryClockHz: number | Unavailable
  readonly powerLimitW: number | Unavailable
  /** Names of what holds the clocks down, for example `sw-power-cap`; empty when nothing does. */
  readonly throttleReasons: readonly string[] | Unavailable
  /** For how long each cause has held the clocks down so far, seconds: the difference between two states counts. */
  readonly throttledS?: Readonly<Record<string, number>> | Unavailable
  readonly processIds: readonly number[] | Unavailable
}

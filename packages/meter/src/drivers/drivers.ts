import { amdDriver } from './amd-driver.js'
import { appleDriver } from './apple-driver.js'
import { cpuDriver } from './cpu-driver.js'
import type { Driver, MeterId } from './driver.js'
import { intelDriver } from './intel-driver.js'
import { nvmlDriver } from './nvml-driver.js'
import { raplDriver } from './rapl-driver.js'
import { replayDriver } from './replay-driver.js'
import { wallDriver } from './wall-driver.js'

/** All drivers by id, in the order in which they are told to people. A new driver is added here. */
const table: Readonly<Record<MeterId, Driver>> = {
  nvml: nvmlDriver,
  amd: amdDriver,
  intel: intelDriver,
  apple: appleDriver,
  rapl: raplDriver,
  wall: wallDriver,
  cpu: cpuDriver,
  replay: replayDriver,
}

/** All drivers. */
export const drivers: readonly Driver[] = Object.values(table)

/** The driver of an id. */
export function driverOf(id: MeterId): Driver {
  return table[id]
}

/** True for the id of a driver. */
export function isMeterId(text: string): text is MeterId {
  return Object.hasOwn(table, text)
}

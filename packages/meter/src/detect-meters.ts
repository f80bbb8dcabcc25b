import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import type { DetectOptions, Driver, MeterId } from './drivers/driver.js'
import { drivers } from './drivers/drivers.js'

/** A way of measuring, and whether it works here. */
export type DetectedMeter =
  | { readonly id: MeterId; readonly status: 'available'; readonly detail: string }
  | ({ readonly id: MeterId } & Unavailable)

/**
 * Tries every way of measuring, opens none.
 *
 * @example
 * for (const meter of await detectMeters()) print(meter.id, meter.status, meter.detail)
 */
export async function detectMeters(options: DetectOptions = {}): Promise<readonly DetectedMeter[]> {
  return Promise.all(drivers.map((driver) => detectOne(driver, options)))
}

async function detectOne(driver: Driver, options: DetectOptions): Promise<DetectedMeter> {
  const found = await driver.detect(options)
  if (isUnavailable(found)) return { id: driver.id, ...found }
  return { id: driver.id, status: 'available', detail: found.detail }
}

import type { Unavailable } from '@energy-bench/spec'
import type { DeviceFacts } from './device-facts.js'
import type { DetectOptions, Driver, MeterId } from './drivers/driver.js'
import { drivers } from './drivers/drivers.js'
import { plainOptions } from './plain-options.js'
import { withDeadline } from './polling/deadline.js'
import { connectPoller, startThread } from './polling/poller.js'

/** A way of measuring, and whether it works here. */
export type DetectedMeter =
  | {
      readonly id: MeterId
      readonly status: 'available'
      readonly detail: string
      /** What the driver knows of the devices that it would meter. */
      readonly devices: readonly DeviceFacts[]
    }
  | ({ readonly id: MeterId } & Unavailable)

/** A driver that takes longer is given up; some devices take seconds to wake. */
const DEADLINE_S = 20

/**
 * Tries every way of measuring, each in a thread of its own, and leaves none open.
 *
 * @example
 * for (const meter of await detectMeters()) print(meter.id, meter.status, meter.detail)
 */
export async function detectMeters(options: DetectOptions = {}): Promise<readonly DetectedMeter[]> {
  const plain = plainOptions(options)
  return Promise.all(drivers.map((driver) => detectOne(driver, plain)))
}

async function detectOne(driver: Driver, options: DetectOptions): Promise<DetectedMeter> {
  const absent = driver.whyAbsent?.(options)
  if (absent !== undefined) return { id: driver.id, ...absent }
  const thread = startThread({ task: 'detect', driver: driver.id, options })
  const poller = connectPoller(thread, { onSamples() {}, onEnd() {} })
  const found = await withDeadline(poller.found, DEADLINE_S, driver.name)
  await poller.stop()
  return { id: driver.id, ...found }
}

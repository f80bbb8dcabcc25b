import { type Unavailable, unavailable } from '@energy-bench/spec'
import type { DetectOptions } from './driver.js'

/** Why a driver that reads sysfs cannot run here; a sysfs that is named is believed on any platform. */
export function whyNotLinux(options: DetectOptions): Unavailable | undefined {
  const { platform = process.platform, sysRoot } = options
  if (platform === 'linux' || sysRoot !== undefined) return undefined
  return unavailable('not-supported', `this needs Linux, and the platform is ${platform}`)
}

/** GPUs as the drivers that read sysfs take them: a number is an index in the order of the bus. */
export function wishedGpus(options: DetectOptions): {
  readonly devices?: readonly (string | number)[]
} {
  const { devices } = options
  if (devices === undefined || devices === 'all') return {}
  return { devices: devices.map((name) => (/^\d+$/.test(name) ? Number(name) : name)) }
}

import { type Unavailable, unavailable } from '@energy-bench/spec'
import { MAX_POWER_W } from '../linux/counter.js'

/** Byte offsets of the fields of `amdsmi_power_info_t` that are read; all are watts. */
export interface PowerInfoLayout {
  readonly bytes: number
  /** Unsigned 32-bit; filled on MI300 and newer. */
  readonly currentAt: number
  /** Unsigned 32-bit; filled on Navi, MI200 and older. */
  readonly averageAt: number
}

/** The struct by major version of the library. Version 23 is that of ROCm 6.0. */
const LAYOUTS: ReadonlyMap<number, PowerInfoLayout> = new Map([
  [23, { bytes: 68, currentAt: 0, averageAt: 4 }],
  [24, { bytes: 68, currentAt: 0, averageAt: 4 }],
  [25, { bytes: 40, currentAt: 8, averageAt: 12 }],
  [26, { bytes: 192, currentAt: 8, averageAt: 12 }],
  [27, { bytes: 192, currentAt: 8, averageAt: 12 }],
])

/** More than any version writes, so that a newer one cannot write past the end. */
export const STRUCT_BYTES = 1024

/**
 * The layout for what `amdsmi_get_lib_version` gives. Its first number is the year up to 24 and the major version since,
 * and both count on from each other.
 */
export function layoutOf(version: number): PowerInfoLayout | Unavailable {
  return (
    LAYOUTS.get(version) ??
    unavailable(
      'driver-mismatch',
      `AMD SMI calls itself version ${version}; known are ${[...LAYOUTS.keys()].join(', ')}`,
      'Use ROCm 6.0 to 7, or update energy-bench.',
    )
  )
}

const POWER_MISSING: ReadonlySet<number> = new Set([0xffff, 0xffffffff])

/** The power in the struct, watts: the current one where the card has it, else the average one. */
export function powerIn(bytes: Buffer, layout: PowerInfoLayout): number | Unavailable {
  const current = bytes.readUInt32LE(layout.currentAt)
  const average = bytes.readUInt32LE(layout.averageAt)
  const powerW = [current, average].find((value) => value > 0 && !POWER_MISSING.has(value))
  if (powerW !== undefined && powerW <= MAX_POWER_W) return powerW
  if (powerW !== undefined) return unavailable('implausible', `AMD SMI gave ${powerW} W`)
  return unavailable(
    'no-data',
    `AMD SMI gave ${current} W and ${average} W, which both mean nothing`,
    'On an MI250 measure the first of the two GPUs; it reports both.',
  )
}

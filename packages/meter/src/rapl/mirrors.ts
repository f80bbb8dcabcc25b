import { isUnavailable } from '@energy-bench/spec'
import type { OpenZone } from './open-zones.js'

/** The kernel updates a counter about each millisecond, so that one value may be a step of some hundred watts old. */
const TOLERANCE_UJ = 1e6
const ROUNDS = 3

/** Number of the socket in a name such as `package-1` or `package-1-die-0`. */
export function socketOf(name: string): number | undefined {
  const digits = /^package-(\d+)(-die-\d+)?$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * For each die zone that shows the counter of an earlier die of the same socket (AMD Zen 1 and 2), the name of that die.
 * Dies with counters of their own (Intel with several dies a package) are not in the result.
 */
export function findMirrors(packages: readonly OpenZone[]): ReadonlyMap<string, string> {
  const mirrors = new Map<string, string>()
  for (const [index, zone] of packages.entries()) {
    const original = packages
      .slice(0, index)
      .find((earlier) => !mirrors.has(earlier.name) && isMirror(earlier, zone))
    if (original !== undefined) mirrors.set(zone.name, original.name)
  }
  return mirrors
}

function isMirror(original: OpenZone, copy: OpenZone): boolean {
  if (socketOf(original.name) !== socketOf(copy.name)) return false
  return Array.from({ length: ROUNDS }, () => isBetween(original, copy)).every(Boolean)
}

/** A copy that is read between two reads of its original lies between them; no guess about power or speed is needed. */
function isBetween(original: OpenZone, copy: OpenZone): boolean {
  if (isUnavailable(original.energy) || isUnavailable(copy.energy)) return false
  const before = original.energy.read()
  const value = copy.energy.read()
  const after = original.energy.read()
  if (isUnavailable(before) || isUnavailable(value) || isUnavailable(after)) return false
  return value > 0 && value >= before - TOLERANCE_UJ && value <= after + TOLERANCE_UJ
}

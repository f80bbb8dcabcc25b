import { isUnavailable } from '@energy-bench/spec'
import { findMirrors, socketOf } from './mirrors.js'
import type { OpenZone } from './open-zones.js'

/** A zone that is measured. */
export interface ChosenZone extends OpenZone {
  readonly role: 'package' | 'dram' | 'part' | 'platform'
  readonly socket: number | undefined
  /** Other names under which the same counter is shown. */
  readonly alsoShownAs: readonly string[]
}

/** Takes each counter once: no MMIO twin, no die that mirrors another one, no zone that nobody knows. */
export function chooseZones(zones: readonly OpenZone[]): readonly ChosenZone[] {
  const single = dropTwins(zones)
  const packages = single.filter((zone) => roleOf(zone) === 'package').sort(byName)
  const mirrors = findMirrors(packages)
  return single
    .filter((zone) => !mirrors.has(zone.name) && !mirrors.has(zone.parentName ?? ''))
    .flatMap((zone) => toChosen(zone, mirrors))
}

function dropTwins(zones: readonly OpenZone[]): readonly OpenZone[] {
  const best = new Map<string, OpenZone>()
  for (const zone of [...zones].sort(byPreference)) {
    const key = `${zone.parentName ?? ''}/${zone.name}`
    if (!best.has(key)) best.set(key, zone)
  }
  return [...best.values()].sort((a, b) => a.id.localeCompare(b.id))
}

/** A counter that can be read before one that cannot, then the plain control type before `intel-rapl-mmio`. */
function byPreference(a: OpenZone, b: OpenZone): number {
  return rank(a) - rank(b) || a.id.localeCompare(b.id)
}

function rank(zone: OpenZone): number {
  return (isUnavailable(zone.energy) ? 2 : 0) + (/^(intel|amd)-rapl:/.test(zone.id) ? 0 : 1)
}

function byName(a: OpenZone, b: OpenZone): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true })
}

function roleOf(zone: OpenZone): ChosenZone['role'] | undefined {
  if (socketOf(zone.name) !== undefined) return 'package'
  if (/^psys(-\d+)?$/.test(zone.name)) return 'platform'
  if (zone.name === 'dram') return 'dram'
  return zone.name === 'core' || zone.name === 'uncore' ? 'part' : undefined
}

function toChosen(zone: OpenZone, mirrors: ReadonlyMap<string, string>): readonly ChosenZone[] {
  const role = roleOf(zone)
  if (role === undefined) return []
  const alsoShownAs = [...mirrors].filter(([, of]) => of === zone.name).map(([copy]) => copy)
  return [{ ...zone, role, socket: socketOf(zone.parentName ?? zone.name), alsoShownAs }]
}

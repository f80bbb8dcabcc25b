import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import { type NumberFile, openNumber, readNumber, type SysFiles } from '../linux/sysfs.js'
import type { RaplZone } from './zones.js'

/** A zone with its counter open, or with the reason why it could not be opened. */
export interface OpenZone extends RaplZone {
  readonly energy: NumberFile | Unavailable
  /** Highest value of the counter, microjoules. */
  readonly rangeUj: number | Unavailable
  /** Name of the zone that contains it, for example `package-0`. */
  readonly parentName: string | undefined
}

/** Opens the counters of all zones. */
export function openZones(files: SysFiles, zones: readonly RaplZone[]): readonly OpenZone[] {
  return zones.map((zone) => ({
    ...zone,
    energy: openNumber(files, `${zone.path}/energy_uj`),
    rangeUj: readNumber(files, `${zone.path}/max_energy_range_uj`),
    parentName: zones.find((other) => other.id === zone.parentId)?.name,
  }))
}

/** Closes the counters that are open. */
export function closeZones(zones: readonly OpenZone[]): void {
  for (const { energy } of zones) if (!isUnavailable(energy)) energy.close()
}

/** Range of Intel counters, microjoules. */
export const INTEL_RANGE_UJ = 262_143_328_850
/** Range of AMD counters, microjoules. */
export const AMD_RANGE_UJ = 65_532_610_987

export type Tree = Readonly<Record<string, string | number>>

/** A zone in the flat layout of `/sys/class/powercap`. */
export function zone(id: string, name: string, energyUj: number): Tree {
  const folder = `class/powercap/${id}`
  return {
    [`${folder}/name`]: name,
    [`${folder}/energy_uj`]: energyUj,
    [`${folder}/max_energy_range_uj`]: INTEL_RANGE_UJ,
  }
}

/** The same zones, each with this range. */
export function withRange(tree: Tree, rangeUj: number): Tree {
  const isRange = (path: string): boolean => path.endsWith('/max_energy_range_uj')
  return Object.fromEntries(
    Object.entries(tree).map(([path, text]) => [path, isRange(path) ? rangeUj : text]),
  )
}

/** Where the counter of a zone lies. */
export function energyPath(id: string): string {
  return `class/powercap/${id}/energy_uj`
}

/** A Core Ultra 7 265H: platform, package, two parts of it, and the MMIO twin of the package. */
export const ULTRA_265H: Tree = {
  ...zone('intel-rapl:0', 'package-0', 3_850_000),
  ...zone('intel-rapl:0:0', 'core', 350_000),
  ...zone('intel-rapl:0:1', 'uncore', 100_000),
  ...zone('intel-rapl:1', 'psys', 6_660_000),
  ...zone('intel-rapl-mmio:0', 'package-0', 3_780_000),
  'class/powercap/intel-rapl:0/constraint_0_power_limit_uw': 45_000_000,
  'class/powercap/intel-rapl:0/constraint_0_max_power_uw': 28_000_000,
  'proc/cpuinfo': 'vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Core(TM) Ultra 7 265H',
  'class/hwmon/hwmon3/name': 'coretemp',
  'class/hwmon/hwmon3/temp1_label': 'Package id 0',
  'class/hwmon/hwmon3/temp1_input': 51_000,
}

/** A server with two sockets and memory of its own on each. */
export const TWO_SOCKETS: Tree = {
  ...zone('intel-rapl:0', 'package-0', 10_000_000),
  ...zone('intel-rapl:0:0', 'dram', 1_000_000),
  ...zone('intel-rapl:1', 'package-1', 20_000_000),
  ...zone('intel-rapl:1:0', 'dram', 2_000_000),
}

/** A Threadripper 1950X: two dies that show the same counter. */
export const TWO_DIES: Tree = withRange(
  {
    ...zone('intel-rapl:0', 'package-0-die-0', 68_000_000),
    ...zone('intel-rapl:0:0', 'core', 1_000_000),
    ...zone('intel-rapl:1', 'package-0-die-1', 68_000_000),
    ...zone('intel-rapl:1:0', 'core', 1_000_000),
  },
  AMD_RANGE_UJ,
)

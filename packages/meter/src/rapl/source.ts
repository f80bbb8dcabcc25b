// Not verified on hardware: written from the kernel documentation and public reports, tested on made-up sysfs trees.
import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import { shortestTurnS } from '../linux/counter.js'
import { createLinuxSource, type LinuxSource } from '../linux/polled-source.js'
import { nodeFiles, type SysFiles } from '../linux/sysfs.js'
import { isWsl } from '../linux/wsl.js'
import { createChannel } from './channels.js'
import { type ChosenZone, chooseZones } from './choose-zones.js'
import { describeDevices, deviceIdOf, readStates } from './devices.js'
import { closeZones, type OpenZone, openZones } from './open-zones.js'
import { denied, whyDenied } from './permission.js'
import { findZones } from './zones.js'

/** Options of `openRaplSource`. */
export interface RaplSourceOptions {
  /** Where sysfs is mounted. Default `/sys`. */
  readonly root?: string
  /** Where procfs is mounted. Default `/proc`. */
  readonly procRoot?: string
  readonly files?: SysFiles
  /** Monotonic seconds. */
  readonly now?: () => number
}

/** The longest pause between two polls that is ever asked for, seconds. */
const MAX_POLL_INTERVAL_S = 30

/**
 * Opens the energy counters of the processors (Intel, and AMD from Zen on) through the powercap tree.
 * Needs read permission for `energy_uj`; without it the answer says which command gives it.
 *
 * @example
 * const source = await openRaplSource()
 * if (!isUnavailable(source)) console.log((await source.sample()).domains)
 */
export async function openRaplSource(
  options: RaplSourceOptions = {},
): Promise<LinuxSource | Unavailable> {
  const { root = '/sys', procRoot = '/proc', files = nodeFiles, now = monotonicS } = options
  const found = isWsl(files, procRoot) ? wsl() : findZones(files, root)
  if (isUnavailable(found)) return found
  const zones = openZones(files, found)
  const chosen = chooseZones(zones)
  const problem = chosen.length === 0 ? noneKnown(zones) : whyDenied(packagesOf(chosen), chosen)
  if (problem !== undefined) {
    closeZones(zones)
    return problem
  }
  closeZones(zones.filter((zone) => !chosen.some((other) => other.id === zone.id)))
  return createSource({ files, root, procRoot }, chosen.map(explained), now)
}

/** Why there is no counter of a processor to open. */
export function whyNoRapl(options: RaplSourceOptions = {}): Unavailable | undefined {
  const { root = '/sys', procRoot = '/proc', files = nodeFiles } = options
  const found = isWsl(files, procRoot) ? wsl() : findZones(files, root)
  return isUnavailable(found) ? found : undefined
}

function createSource(
  facts: { readonly files: SysFiles; readonly root: string; readonly procRoot: string },
  zones: readonly ChosenZone[],
  now: () => number,
): LinuxSource {
  return createLinuxSource({
    id: 'rapl',
    channels: zones.map((zone) => createChannel(zone, deviceIdOf(zone, zones))),
    devices: describeDevices(facts, zones),
    maxPollIntervalS: Math.min(
      MAX_POLL_INTERVAL_S,
      ...zones.map((zone) => shortestTurnS({ rangeUj: zone.rangeUj }) / 2),
    ),
    now,
    readStates: (timeS) => readStates(facts, zones, timeS),
    close() {},
  })
}

/** A zone that alone is denied says the command too. */
function explained(zone: ChosenZone): ChosenZone {
  const { energy } = zone
  if (!isUnavailable(energy) || energy.reason !== 'permission-denied') return zone
  return { ...zone, energy: denied([zone], energy) }
}

/** The packages decide whether there is anything to measure; without any, all zones do. */
function packagesOf(zones: readonly ChosenZone[]): readonly ChosenZone[] {
  const packages = zones.filter((zone) => zone.role === 'package')
  return packages.length > 0 ? packages : zones
}

function noneKnown(zones: readonly OpenZone[]): Unavailable {
  const names = zones.map((zone) => zone.name).join(', ')
  return unavailable('not-supported', `the powercap zones are of no known kind: ${names}`)
}

function wsl(): Unavailable {
  return unavailable(
    'not-supported',
    'this is the Windows Subsystem for Linux, which shows no energy counter of the processor',
    'Measure on Linux itself, or use a wall plug.',
  )
}

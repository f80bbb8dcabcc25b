import {
  type DeviceInfo,
  type DeviceState,
  isUnavailable,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { listNames, readNumber, readText, type SysFiles } from '../linux/sysfs.js'
import type { ChosenZone } from './choose-zones.js'

/** Where the facts about the processors are read. */
export interface CpuFacts {
  readonly files: SysFiles
  readonly root: string
  readonly procRoot: string
}

const NOT_SAID = unavailable('not-supported', 'RAPL does not say it')
const NO_ONE_CLOCK = unavailable('not-supported', 'each core of a processor has a clock of its own')

/** Device that a zone belongs to: `cpu`, with several sockets `cpu-0` and so on, for the platform `system`. */
export function deviceIdOf(zone: ChosenZone, zones: readonly ChosenZone[]): string {
  if (zone.role === 'platform') return 'system'
  const sockets = new Set(zones.flatMap((other) => other.socket ?? []))
  return sockets.size > 1 && zone.socket !== undefined ? `cpu-${zone.socket}` : 'cpu'
}

/** Describes each device once. */
export function describeDevices(
  facts: CpuFacts,
  zones: readonly ChosenZone[],
): readonly DeviceInfo[] {
  const name = cpuName(facts)
  const owners = ownersOf(zones)
  return [...owners].map(([id, zone]) => ({
    id,
    kind: zone.role === 'platform' ? 'system' : 'cpu',
    name: zone.role === 'platform' ? `platform of ${name}` : name,
    driver: zone.id.replace(/:.*/, ''),
    memoryBytes: NOT_SAID,
    powerLimitW: readWatts(facts.files, `${zone.path}/constraint_0_power_limit_uw`),
    powerLimitDefaultW: readWatts(facts.files, `${zone.path}/constraint_0_max_power_uw`),
  }))
}

/** What the devices say of themselves at `timeS`, monotonic seconds. */
export function readStates(
  facts: CpuFacts,
  zones: readonly ChosenZone[],
  timeS: number,
): readonly DeviceState[] {
  return [...ownersOf(zones)].map(([deviceId, zone]) => ({
    deviceId,
    timeS,
    powerW: NOT_SAID,
    temperatureC: zone.socket === undefined ? NOT_SAID : readTemperature(facts, zone.socket),
    clockHz: NO_ONE_CLOCK,
    memoryClockHz: NOT_SAID,
    powerLimitW: readWatts(facts.files, `${zone.path}/constraint_0_power_limit_uw`),
    throttleReasons: NOT_SAID,
    processIds: NOT_SAID,
  }))
}

function ownersOf(zones: readonly ChosenZone[]): ReadonlyMap<string, ChosenZone> {
  const tops = zones.filter((zone) => zone.role === 'package' || zone.role === 'platform')
  const owners = new Map<string, ChosenZone>()
  for (const zone of tops) {
    const id = deviceIdOf(zone, zones)
    if (!owners.has(id)) owners.set(id, zone)
  }
  return owners
}

function readWatts(files: SysFiles, path: string): number | Unavailable {
  const microwatts = readNumber(files, path)
  if (isUnavailable(microwatts)) return microwatts
  if (microwatts > 0) return microwatts / 1e6
  return unavailable('not-supported', `${path} holds ${microwatts}`)
}

function cpuName(facts: CpuFacts): string {
  const info = readText(facts.files, `${facts.procRoot}/cpuinfo`)
  const model = isUnavailable(info) ? undefined : /^model name\s*:\s*(.+)$/m.exec(info)?.[1]
  return model?.trim() ?? 'unknown CPU'
}

/** Intel labels the sensor of each package; AMD has one k10temp a socket, in the order of the sockets. */
function readTemperature(facts: CpuFacts, socket: number): number | Unavailable {
  const parent = `${facts.root}/class/hwmon`
  const named = (name: string): readonly string[] =>
    listNames(facts.files, parent)
      .map((folder) => `${parent}/${folder}`)
      .filter((folder) => readText(facts.files, `${folder}/name`) === name)
  const intel = named('coretemp').find(
    (folder) => readText(facts.files, `${folder}/temp1_label`) === `Package id ${socket}`,
  )
  const folder = intel ?? named('k10temp')[socket]
  if (folder === undefined) return unavailable('not-supported', 'no sensor of the package is shown')
  const millidegrees = readNumber(facts.files, `${folder}/temp1_input`)
  return isUnavailable(millidegrees) ? millidegrees : millidegrees / 1000
}

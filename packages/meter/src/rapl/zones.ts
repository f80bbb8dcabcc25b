import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { listNames, readText, type SysFiles } from '../linux/sysfs.js'

/** A RAPL zone of the powercap tree. */
export interface RaplZone {
  /** Name of its folder, for example `intel-rapl:0:2`. */
  readonly id: string
  /** Folder of the zone that contains it, for example `intel-rapl:0`; undefined at the top. */
  readonly parentId: string | undefined
  readonly path: string
  /** For example `package-0`, `dram`, `psys`. */
  readonly name: string
}

const CONTROL = /^(intel|amd)-rapl(-[a-z]+)?$/
const ZONE = /^((?:intel|amd)-rapl(?:-[a-z]+)?:\d+)(:\d+)?$/

/** Lists the zones, each once, whether the tree is flat, nested or both. AMD zones are called `intel-rapl` too. */
export function findZones(files: SysFiles, root: string): readonly RaplZone[] | Unavailable {
  const folder = `${root}/class/powercap`
  const paths = new Map<string, string>()
  collect(files, folder, paths)
  const zones = [...paths].map(([id, path]) => readZone(files, id, path)).filter(isZone)
  if (zones.length > 0) return zones
  return whyNone(files, folder)
}

/** The first folder wins that can be read: a flat name may be a dead link where the nested one is not. */
function collect(files: SysFiles, folder: string, paths: Map<string, string>): void {
  for (const name of listNames(files, folder)) {
    const path = `${folder}/${name}`
    if (ZONE.test(name) && !paths.has(name) && !isUnavailable(readText(files, `${path}/name`))) {
      paths.set(name, path)
    }
    if (ZONE.test(name) || CONTROL.test(name)) collect(files, path, paths)
  }
}

function readZone(files: SysFiles, id: string, path: string): RaplZone | undefined {
  const name = readText(files, `${path}/name`)
  const match = ZONE.exec(id)
  if (isUnavailable(name) || match === null) return undefined
  return { id, parentId: match[2] === undefined ? undefined : match[1], path, name }
}

function isZone(zone: RaplZone | undefined): zone is RaplZone {
  return zone !== undefined
}

function whyNone(files: SysFiles, folder: string): Unavailable {
  const names = listNames(files, folder).filter((name) => ZONE.test(name) || CONTROL.test(name))
  const dead = names.find((name) => files.isDangling(`${folder}/${name}`))
  if (dead !== undefined) {
    return unavailable(
      'no-device',
      `${folder}/${dead} is a link that leads nowhere, as in a container that hides /sys/devices/virtual/powercap`,
      'Start the container as root with -v /sys/class/powercap/intel-rapl:/host-sys/class/powercap/intel-rapl:ro and use the root /host-sys.',
    )
  }
  return unavailable(
    'no-device',
    `${folder} has no RAPL zone; most virtual machines and ARM processors have none`,
    'On a machine with an Intel or AMD Zen processor, run: sudo modprobe intel_rapl_msr',
  )
}

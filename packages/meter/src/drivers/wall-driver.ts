import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import { parseWall } from '../wall/parse-wall.js'
import { probeWall, type WallProbe } from '../wall/probe.js'
import type { Driver } from './driver.js'

/** Wall plugs that were named. There is no search for plugs: it would speak to devices that nobody meant. */
export const wallDriver: Driver = {
  id: 'wall',
  name: 'wall plug',
  whyAbsent: ({ wall = [] }) => (wall.length === 0 ? noPlug() : undefined),
  async detect({ wall = [] }) {
    const configs = wall.map(parseWall)
    const probes = await Promise.all(configs.map((config) => probeWall(config)))
    const broken = probes.find((probe) => isUnavailable(probe))
    if (broken !== undefined) return named(broken)
    const seen = probes.map((probe) => `${probe.name} (${probe.detail}; ${probe.cadence})`)
    return {
      status: 'available',
      detail: seen.join(', '),
      specs: configs.map((config) => ({ kind: 'wall', config })),
      devices: [],
    }
  },
}

function named(probe: WallProbe & Unavailable): Unavailable {
  return unavailable(probe.reason, `${probe.name}: ${probe.detail}`, probe.fix)
}

function noPlug(): Unavailable {
  return unavailable(
    'no-device',
    'no wall plug was named',
    "Name it: openMeter({ wall: ['shelly://192.168.1.5'] }).",
  )
}

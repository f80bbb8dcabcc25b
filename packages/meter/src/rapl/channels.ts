import { type DomainSample, type EnergyDomain, isUnavailable } from '@energy-bench/spec'
import { createCounter, MAX_POWER_W } from '../linux/counter.js'
import type { Channel } from '../linux/polled-source.js'
import type { ChosenZone } from './choose-zones.js'

/** Step of the counter on Intel servers, joules; AMD and dram step finer. */
const RESOLUTION_J = 61e-6
/** A package, its memory and a platform always use some power. */
const MAX_STILL_S = 2

const KINDS = { package: 'cpu', part: 'cpu', dram: 'dram', platform: 'system' } as const
const NOTES = {
  package:
    'The processor package as it counts itself (RAPL): no memory modules, no power supply, no other GPU.',
  part: 'A part of the package, which already counts it.',
  dram: 'Memory, counted apart from the package.',
  platform:
    'The whole platform, which contains the packages: to be compared with them, never added. Not reliable on every machine.',
}

/** Id of the domain of a zone, for example `rapl:package-0:dram`. */
function domainId(zone: ChosenZone): string {
  return zone.parentName === undefined
    ? `rapl:${zone.name}`
    : `rapl:${zone.parentName}:${zone.name}`
}

/** Makes the domain and the reader of one zone. */
export function createChannel(zone: ChosenZone, deviceId: string): Channel {
  const isSteady = zone.role !== 'part'
  const counter = createCounter({
    rangeUj: zone.rangeUj,
    ...(isSteady ? { maxStillS: MAX_STILL_S } : {}),
  })
  return {
    domain: toDomain(zone, deviceId),
    timing: {
      method: 'counter',
      type: 'steady',
      maxPowerW: MAX_POWER_W,
      resolutionJ: RESOLUTION_J,
    },
    read(timeS): DomainSample {
      if (isUnavailable(zone.energy)) return zone.energy
      const rawUj = zone.energy.read()
      return isUnavailable(rawUj) ? rawUj : counter.add(rawUj, timeS)
    },
    close() {
      if (!isUnavailable(zone.energy)) zone.energy.close()
    },
  }
}

function toDomain(zone: ChosenZone, deviceId: string): EnergyDomain {
  const also =
    zone.alsoShownAs.length === 0
      ? ''
      : ` The same counter is also shown as ${zone.alsoShownAs.join(', ')}.`
  return {
    id: domainId(zone),
    kind: KINDS[zone.role],
    method: 'counter',
    label: `RAPL ${[zone.parentName, zone.name].filter((part) => part !== undefined).join(' ')}`,
    deviceId,
    ...(zone.role === 'part' && zone.parentName !== undefined
      ? { partOf: `rapl:${zone.parentName}` }
      : {}),
    note: `${NOTES[zone.role]}${also}`,
  }
}

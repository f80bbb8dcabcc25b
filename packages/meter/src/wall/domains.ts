import { type DeviceInfo, type EnergyDomain, unavailable } from '@energy-bench/spec'
import { nameOf, type WallConfig } from './config.js'
import { traitsOf, type WallTraits } from './traits.js'
import { JOULES_IN } from './units.js'

/** A counter counts for the plug in place of the integrated power with steps up to this, joules (0.1 Wh), */
const FINE_COUNTER_J = 0.1 * JOULES_IN.Wh
/** and new values as often as there are those of power, seconds: one that moves once a minute says nothing of seconds. */
const QUICK_COUNTER_S = 2

/** The one or two ways in which the energy of a plug is read. */
export interface WallDomains {
  readonly power: EnergyDomain | undefined
  readonly counter: EnergyDomain | undefined
  readonly all: readonly EnergyDomain[]
}

/** Makes the domains of a plug. Of two, the less exact is part of the other, so that totals count one. */
export function createDomains(config: WallConfig): WallDomains {
  const { counterStepJ = 0, slowestS } = traitsOf(config)
  const hasPower = measuresPower(config)
  const hasCounter = counterStepJ > 0 && measuresEnergy(config)
  const isFine = counterStepJ <= FINE_COUNTER_J && slowestS <= QUICK_COUNTER_S
  const power = hasPower ? powerDomain(config, hasCounter && isFine) : undefined
  const counter = hasCounter ? counterDomain(config, hasPower && !isFine) : undefined
  return { power, counter, all: [power, counter].filter((domain) => domain !== undefined) }
}

function powerDomain(config: WallConfig, isSecondary: boolean): EnergyDomain {
  const traits = traitsOf(config)
  const deviceId = deviceIdOf(config)
  return {
    id: `${deviceId}:power`,
    kind: 'system',
    method: 'wall',
    label: `${traits.label}, integrated power`,
    deviceId,
    ...(isSecondary ? { partOf: `${deviceId}:counter` } : {}),
    note: powerNote(traits, isSecondary),
  }
}

function counterDomain(config: WallConfig, isSecondary: boolean): EnergyDomain {
  const traits = traitsOf(config)
  const deviceId = deviceIdOf(config)
  return {
    id: `${deviceId}:counter`,
    kind: 'system',
    method: 'wall',
    label: `${traits.label}, energy counter`,
    deviceId,
    ...(isSecondary ? { partOf: `${deviceId}:power` } : {}),
    note: counterNote(traits, isSecondary),
  }
}

function deviceIdOf(config: WallConfig): string {
  return `wall:${nameOf(config)}`
}

/** The plug as a device of the meter. */
export function createDevice(config: WallConfig): DeviceInfo {
  const none = unavailable('not-supported', 'a wall plug does not have this')
  return {
    id: deviceIdOf(config),
    kind: 'system',
    name: `${traitsOf(config).label} ${nameOf(config)}`,
    driver: config.kind,
    memoryBytes: none,
    powerLimitW: none,
    powerLimitDefaultW: none,
  }
}

function measuresPower(config: WallConfig): boolean {
  if (config.kind === 'home-assistant') return config.powerEntity !== undefined
  if (config.kind === 'esphome') return config.powerSensor !== undefined
  return config.kind !== 'http-json' || config.power !== undefined
}

function measuresEnergy(config: WallConfig): boolean {
  if (config.kind === 'home-assistant') return config.energyEntity !== undefined
  if (config.kind === 'esphome') return config.energySensor !== undefined
  return config.kind !== 'http-json' || config.energy !== undefined
}

function powerNote(traits: WallTraits, isSecondary: boolean): string {
  return [
    'Everything on this socket, with the loss of its power supply.',
    `New value: ${traits.cadence}. Step: ${traits.powerStep}.`,
    ...(isSecondary ? ['The counter of the plug is fine enough to count in its place.'] : []),
    ...(traits.warning === undefined ? [] : [traits.warning]),
  ].join(' ')
}

function counterNote(traits: WallTraits, isSecondary: boolean): string {
  const stepWh = (traits.counterStepJ ?? 0) / JOULES_IN.Wh
  return [
    'Everything on this socket, with the loss of its power supply.',
    `Counter in steps of ${Number(stepWh.toPrecision(3))} Wh. New value: ${traits.cadence}.`,
    ...(isSecondary
      ? ['Its steps are coarse or rare, so the integrated power counts in its place.']
      : []),
    ...(traits.warning === undefined ? [] : [traits.warning]),
  ].join(' ')
}

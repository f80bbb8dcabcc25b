import type { WallConfig, WallKind } from './config.js'
import { JOULES_IN, JOULES_IN_WATT_MINUTE } from './units.js'

/** What is known about the readings of one kind of plug. */
export interface WallTraits {
  readonly label: string
  /** How often there is a new value, for people. */
  readonly cadence: string
  /** Longest usual time between two new values of power and of the counter, seconds. */
  readonly slowestS: number
  /** Time from one poll to the next, seconds: as fast as a new value can come, without pressing the plug. */
  readonly pollS: number
  /** Smallest step of power, for people. */
  readonly powerStep: string
  /** Smallest step of the counter, joules; left out where no usable counter exists. */
  readonly counterStepJ?: number
  readonly warning?: string
}

// Cadences and steps are what is usually reported for these plugs; none was found in documentation of a maker.
const TRAITS: Readonly<Record<WallKind, WallTraits>> = {
  'shelly-gen1': {
    label: 'Shelly Gen1',
    cadence: 'power about 1 s, counter up to 60 s',
    slowestS: 60,
    pollS: 1,
    powerStep: '0.01 W, loads under about 0.4 W read 0',
    counterStepJ: JOULES_IN_WATT_MINUTE,
    warning: 'The counter starts again at 0 when the plug restarts.',
  },
  shelly: {
    label: 'Shelly Gen2+',
    cadence: 'power about 1 s, counter up to 60 s',
    slowestS: 60,
    pollS: 1,
    powerStep: '0.1 W, small loads read 0',
    counterStepJ: 0.001 * JOULES_IN.Wh,
  },
  tasmota: {
    label: 'Tasmota plug',
    cadence: 'about 1 s',
    slowestS: 1,
    pollS: 1,
    powerStep: '1 W unless WattRes is set; loads under 6 W are not trustworthy on many plugs',
    counterStepJ: JOULES_IN.Wh,
    warning: 'Its accuracy rests on the calibration by the user; wait 5 s after a change of load.',
  },
  kasa: {
    label: 'Kasa plug',
    cadence: 'about 1 s',
    slowestS: 1,
    pollS: 1,
    powerStep: '0.001 W shown',
    counterStepJ: JOULES_IN.Wh,
  },
  tapo: {
    label: 'Tapo plug',
    cadence: 'about 1 s',
    slowestS: 1,
    pollS: 1,
    powerStep: '0.001 W shown',
    warning: 'No counter: the counters of the plug start again every day.',
  },
  homewizard: {
    label: 'HomeWizard Energy Socket',
    cadence: 'about 1 s',
    slowestS: 1,
    pollS: 1,
    powerStep: '0.001 W shown',
    counterStepJ: JOULES_IN.Wh,
  },
  'home-assistant': {
    label: 'Home Assistant sensor',
    cadence: 'as the device behind it reports, often 10 s to 60 s',
    slowestS: 30,
    pollS: 2,
    powerStep: 'that of the device behind it',
    counterStepJ: JOULES_IN.Wh,
    warning: 'A value that stops changing cannot be told from a constant load.',
  },
  esphome: {
    label: 'ESPHome sensor',
    cadence: 'the update_interval of the sensor, 60 s unless set',
    slowestS: 60,
    pollS: 2,
    powerStep: 'that of the sensor',
    counterStepJ: JOULES_IN.Wh,
  },
  'fritz-dect': {
    label: 'FRITZ!DECT plug',
    cadence: 'about 2 min',
    slowestS: 120,
    pollS: 15,
    powerStep: '0.01 W',
    counterStepJ: JOULES_IN.Wh,
    warning: 'Unusable for windows shorter than an hour.',
  },
  'http-json': {
    label: 'JSON meter',
    cadence: 'unknown',
    slowestS: 10,
    pollS: 1,
    powerStep: 'unknown',
    counterStepJ: JOULES_IN.Wh,
  },
}

/** Traits of the plug; the counter step follows the `EnergyRes` of a Tasmota. */
export function traitsOf(config: WallConfig): WallTraits {
  const traits = TRAITS[config.kind]
  if (config.kind !== 'tasmota') return traits
  return { ...traits, counterStepJ: JOULES_IN.kWh / 10 ** (config.energyDecimals ?? 3) }
}

import { type DeviceInfo, type EnergyDomain, isUnavailable, unavailable } from '@energy-bench/spec'
import { RAIL_NAMES, type RailName } from './channels.js'
import type { Chip } from './chip.js'

/** Id of the device that the rails belong to. */
export const CHIP_ID = 'apple-soc'
/** Id of the device that the system power belongs to. */
export const MACHINE_ID = 'apple-machine'
/** Id of the domain of the whole machine. */
export const SYSTEM_ID = 'apple:system'

const LABELS: Readonly<Record<RailName, string>> = {
  cpu: 'CPU',
  gpu: 'GPU',
  ane: 'Neural Engine',
  dram: 'DRAM',
}

const NOTES: Readonly<Record<RailName, string>> = {
  cpu: 'All cores of all dies; modelled by the chip, which Apple does not document.',
  gpu: 'GPU cores without memory controllers and fabric, which can use ten watts more under load.',
  ane: 'Neural Engine cores only.',
  dram: 'Memory chips; in no other rail. Several chips publish no such channel.',
}

const SYSTEM_NOTE =
  'SMC key PSTR: everything behind the power supply, with display, storage and USB devices but without the loss of ' +
  'the supply; it contains the rails, so it is never added to them, and charging a battery can disturb it.'

/** Id of the domain of a rail, for example `apple:cpu`. */
export function railId(rail: RailName): string {
  return `apple:${rail}`
}

/** Name of a rail for people. */
export function railLabel(rail: RailName): string {
  return LABELS[rail]
}

/** The domains of an Apple Silicon machine, the same on every chip; what a chip lacks reads as unavailable. */
export function appleDomains(chip: Chip): readonly EnergyDomain[] {
  const rails = RAIL_NAMES.map(
    (rail): EnergyDomain => ({
      id: railId(rail),
      kind: rail,
      method: 'counter',
      label: rail === 'cpu' ? cpuLabel(chip) : LABELS[rail],
      deviceId: CHIP_ID,
      note: NOTES[rail],
    }),
  )
  const system: EnergyDomain = {
    id: SYSTEM_ID,
    kind: 'system',
    method: 'integrated-power',
    label: 'Whole machine',
    deviceId: MACHINE_ID,
    note: SYSTEM_NOTE,
  }
  return [...rails, system]
}

function cpuLabel(chip: Chip): string {
  const cores = chip.levels.map((level) => `${level.cores} ${level.name}`)
  return cores.length === 0 ? LABELS.cpu : `${LABELS.cpu} (${cores.join(' + ')} cores)`
}

/** The chip, and the machine around it. */
export function appleDevices(chip: Chip): readonly DeviceInfo[] {
  const none = unavailable('not-supported', 'macOS tells no such value')
  const shared = {
    driver: none,
    memoryBytes: chip.memoryBytes,
    powerLimitW: none,
    powerLimitDefaultW: none,
  }
  const name = isUnavailable(chip.name) ? 'Apple Silicon' : chip.name
  const model = isUnavailable(chip.model) ? 'Mac' : chip.model
  return [
    { id: CHIP_ID, kind: 'cpu', name, ...shared },
    { id: MACHINE_ID, kind: 'system', name: model, ...shared },
  ]
}

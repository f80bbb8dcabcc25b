import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How the machine is supplied. */
export interface BatteryState {
  readonly onBattery: boolean
  /** Charging or discharging: energy goes into or out of a store that no meter here sees. */
  readonly isMoving: boolean
  /** What was seen, for people, for example `BAT0 discharging, AC offline`. */
  readonly detail: string
}

/** The files of one power supply: the last part of the path and the text. */
export interface SupplyFiles {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
}

const FOLDER = '/sys/class/power_supply'
const FILE_NAMES = ['type', 'scope', 'status', 'online'] as const

/** Reads how a Linux machine is supplied; `undefined` where it has no battery, or is no Linux. */
export async function readBattery(folder: string = FOLDER): Promise<BatteryState | undefined> {
  const names = await readdir(folder).catch(() => [])
  const supplies = await Promise.all(
    names.map(async (name) => ({ name, files: await readFiles(join(folder, name)) })),
  )
  return parseSupplies(supplies)
}

async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await Promise.all(
    FILE_NAMES.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
      return text === undefined ? [] : [[name, text.trim()] as const]
    }),
  )
  return Object.fromEntries(entries.flat())
}

/** Says how the machine is supplied. Batteries of mice and headsets (scope Device) do not count. Pure. */
export function parseSupplies(supplies: readonly SupplyFiles[]): BatteryState | undefined {
  const own = supplies.filter(({ files }) => files.scope !== 'Device')
  const batteries = own.filter(({ files }) => files.type === 'Battery')
  if (batteries.length === 0) return undefined
  const mains = own.filter(({ files }) => files.type === 'Mains' || files.type === 'USB')
  const hasMains = mains.some(({ files }) => files.online === '1')
  const statuses = batteries.map(({ files }) => files.status ?? 'Unknown')
  const isDischarging = statuses.includes('Discharging')
  const told = [
    ...batteries.map(({ name }, index) => `${name} ${(statuses[index] ?? '').toLowerCase()}`),
    ...mains.map(({ name, files }) => `${name} ${files.online === '1' ? 'online' : 'offline'}`),
  ]
  return {
    onBattery: isDischarging && !hasMains,
    isMoving: isDischarging || statuses.includes('Charging'),
    detail: told.join(', '),
  }
}

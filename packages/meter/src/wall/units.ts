/** Watts in one unit of power. */
export const WATTS_IN = { mW: 0.001, W: 1, kW: 1000 } as const

/** Joules in one unit of energy. */
export const JOULES_IN = { J: 1, Wh: 3600, kWh: 3_600_000 } as const

export type PowerUnit = keyof typeof WATTS_IN
export type EnergyUnit = keyof typeof JOULES_IN

/** Joules in one watt-minute, the unit of the counter of a Shelly Gen1. */
export const JOULES_IN_WATT_MINUTE = 60

export function isPowerUnit(unit: string): unit is PowerUnit {
  return Object.hasOwn(WATTS_IN, unit)
}

export function isEnergyUnit(unit: string): unit is EnergyUnit {
  return Object.hasOwn(JOULES_IN, unit)
}

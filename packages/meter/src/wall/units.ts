/** Watts in one unit of power: those of Home Assistant but BTU/h. Capitals tell `mW` from `MW`. */
export const WATTS_IN = { mW: 0.001, W: 1, kW: 1e3, MW: 1e6, GW: 1e9, TW: 1e12 } as const

/** Joules in one unit of energy, all exact; the calorie is the thermochemical one (4.184 J), as in Home Assistant. */
export const JOULES_IN = {
  J: 1,
  kJ: 1e3,
  MJ: 1e6,
  GJ: 1e9,
  mWh: 3.6,
  Wh: 3600,
  kWh: 3.6e6,
  MWh: 3.6e9,
  GWh: 3.6e12,
  TWh: 3.6e15,
  cal: 4.184,
  kcal: 4184,
  Mcal: 4.184e6,
  Gcal: 4.184e9,
} as const

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

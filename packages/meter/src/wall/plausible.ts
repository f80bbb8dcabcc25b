import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { WallReading } from './reading.js'

/** No socket of a house gives more, watts. */
export const MAX_WALL_POWER_W = 20_000
/** A hundred years of that, joules. */
const MAX_ENERGY_J = MAX_WALL_POWER_W * 100 * 366 * 86_400
const FIX = 'Check the wiring and the unit in the config; restart the plug if this stays.'

/** Replaces values that cannot be true by `implausible`. */
export function plausible(reading: WallReading): WallReading {
  const { powerW, energyJ } = reading
  return {
    ...reading,
    ...(powerW === undefined ? {} : { powerW: within(powerW, MAX_WALL_POWER_W, 'W') }),
    ...(energyJ === undefined ? {} : { energyJ: within(energyJ, MAX_ENERGY_J, 'J') }),
  }
}

function within(value: number | Unavailable, max: number, unit: string): number | Unavailable {
  if (isUnavailable(value) || (value >= 0 && value <= max)) return value
  return unavailable('implausible', `the plug said ${value} ${unit}, not 0 to ${max} ${unit}`, FIX)
}

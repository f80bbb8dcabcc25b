import { type DomainSample, isUnavailable, unavailable } from '@energy-bench/spec'
import type { Smc } from './smc.js'

const KEY = 'PSTR'
/** No Mac has a larger power supply, watts. */
const MAX_POWER_W = 2000

/** One sample of the power of the whole machine, dated by the middle of the read on the clock `now` (seconds). */
export function systemPower(smc: Smc, now: () => number): DomainSample {
  const startS = now()
  const powerW = smc.number(KEY)
  const timeS = (startS + now()) / 2
  if (isUnavailable(powerW)) return powerW
  if (!(powerW >= 0 && powerW <= MAX_POWER_W)) {
    return unavailable('implausible', `${KEY} said ${powerW} W, expected 0 to ${MAX_POWER_W} W`)
  }
  return { type: 'power', samples: [{ timeS, powerW }] }
}

import { type EnergyReading, isUnavailable, type Meter } from '@energy-bench/spec'
import { type WaitOptions, waitUntil } from '../wait-until.js'

/** Options of `waitUntilSettled`. */
export interface SettleOptions extends WaitOptions {
  /** Longest wait, seconds. */
  readonly maxS: number
}

/** How the wait for a steady power ended. */
export interface Settling {
  /** Time that was waited, seconds. */
  readonly waitedS: number
  /** False when the power was still falling or rising at the end of the longest wait. */
  readonly isSettled: boolean
}

/** Length of one look at the power, seconds; the looks of a slow counter are two of its ticks. */
const LOOK_S = 0.5
const LOOK_TICKS = 2
/** So many looks in a row must be alike. */
const LOOKS_ALIKE = 4
/** Differences below these count as alike: a share of the power, and watts. */
const ALIKE_RATIO = 0.01
const ALIKE_W = 1

/**
 * Waits until the power of all domains is flat. After work a GPU holds its clocks for a while, and a device that
 * averages still shows the work: an H200 needs 0.5 s to fall, boards with slow clocks 5 to 10 s.
 */
export async function waitUntilSettled(meter: Meter, options: SettleOptions): Promise<Settling> {
  const beganS = meter.now()
  const looks: EnergyReading[] = []
  let lookS = LOOK_S
  for (let fromS = beganS; fromS + lookS - beganS <= options.maxS; fromS = endOf(looks, beganS)) {
    await waitUntil(meter, fromS + lookS, options)
    options.signal?.throwIfAborted()
    const look = await meter.energyBetween(fromS, fromS + lookS)
    looks.push(look)
    if (isFlat(looks.slice(-LOOKS_ALIKE))) return { waitedS: look.endS - beganS, isSettled: true }
    lookS = Math.max(LOOK_S, LOOK_TICKS * slowestTickS(look))
  }
  return { waitedS: endOf(looks, beganS) - beganS, isSettled: false }
}

function endOf(looks: readonly EnergyReading[], beganS: number): number {
  return looks.at(-1)?.endS ?? beganS
}

function slowestTickS({ domains }: EnergyReading): number {
  const ticksS = Object.values(domains).map((one) => (isUnavailable(one) ? 0 : one.tickS))
  return Math.max(0, ...ticksS)
}

function isFlat(looks: readonly EnergyReading[]): boolean {
  if (looks.length < LOOKS_ALIKE) return false
  return Object.keys(looks[0]?.domains ?? {}).every((id) => isFlatDomain(looks, id))
}

/** A domain without readings has nothing to settle. */
function isFlatDomain(looks: readonly EnergyReading[], id: string): boolean {
  const powers = looks.flatMap(({ domains, durationS }) => {
    const energy = domains[id]
    if (energy === undefined || isUnavailable(energy)) return []
    return [{ powerW: energy.energyJ / durationS, uncertaintyW: energy.uncertaintyJ / durationS }]
  })
  const valuesW = powers.map((power) => power.powerW)
  const meanW = valuesW.reduce((sum, powerW) => sum + powerW, 0) / valuesW.length
  const worstW = Math.max(0, ...powers.map((power) => power.uncertaintyW))
  const limitW = Math.max(ALIKE_W, ALIKE_RATIO * meanW, 2 * worstW)
  return valuesW.length < 2 || Math.max(...valuesW) - Math.min(...valuesW) <= limitW
}

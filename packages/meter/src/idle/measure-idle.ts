import {
  type DomainEnergy,
  type EnergyReading,
  isUnavailable,
  type Meter,
  type Unavailable,
} from '@energy-bench/spec'
import { type Delay, type WaitOptions, waitUntil } from '../wait-until.js'
import { type IdleBaseline, type IdlePower, idlePower } from './idle-baseline.js'
import { type Settling, waitUntilSettled } from './settle.js'
import { correlatedStandardError } from './standard-error.js'

/** Options of `measureIdle`. */
export interface MeasureIdleOptions {
  /** Length of the window, seconds. Default 10. */
  readonly durationS?: number
  readonly signal?: AbortSignal
  /** Most parts that the window is cut into, to see how much the power varies; none is shorter than a tick. Default 40. */
  readonly parts?: number
  /**
   * Waited before the window, seconds, so that the last work does not show; `auto` waits until the power is flat, 30 s
   * at most. Default 0.
   */
  readonly settleS?: number | 'auto'
  /** How to wait. Default: a timer. */
  readonly delay?: Delay
}

const MAX_SETTLE_S = 30

/**
 * Measures the power while nothing runs. Call it with the model resident: a loaded model costs power by itself.
 *
 * The window keeps one tick away from what comes before and after: an edge shares its tick with its neighbour,
 * and a load that starts right after would leak into the baseline.
 */
export async function measureIdle(
  meter: Meter,
  options: MeasureIdleOptions = {},
): Promise<IdleBaseline> {
  const { durationS = 10, signal, delay, parts = 40, settleS = 0 } = options
  const waiting = { signal, delay }
  const settling = await settle(meter, settleS, waiting)
  const beganS = meter.now()
  const guardS = guardOf(await readAfter(meter, { startS: beganS, durationS: 0.25, ...waiting }))
  const startS = beganS + guardS
  const reading = await readAfter(meter, { startS, durationS, ...waiting })
  await waitUntil(meter, startS + durationS + guardS, waiting)
  const whole = Math.max(2, Math.floor(durationS / Math.max(guardS, durationS / parts)))
  const partReadings = await readParts(meter, { startS, endS: startS + durationS, parts: whole })
  const entries = meter.domains.map(({ id }) => [id, powerOf(id, reading, partReadings)])
  const domains = Object.fromEntries(entries)
  return {
    startS,
    endS: startS + durationS,
    domains,
    ...(settling === undefined ? {} : { settling }),
  }
}

async function settle(
  meter: Meter,
  settleS: number | 'auto',
  waiting: WaitOptions,
): Promise<Settling | undefined> {
  if (settleS === 'auto') return waitUntilSettled(meter, { maxS: MAX_SETTLE_S, ...waiting })
  await waitUntil(meter, meter.now() + settleS, waiting)
  return undefined
}

interface IdleWindow extends WaitOptions {
  readonly startS: number
  readonly durationS: number
}

async function readAfter(
  meter: Meter,
  { startS, durationS, ...waiting }: IdleWindow,
): Promise<EnergyReading> {
  await waitUntil(meter, startS + durationS, waiting)
  waiting.signal?.throwIfAborted()
  return meter.energyBetween(startS, startS + durationS)
}

function guardOf(reading: EnergyReading): number {
  const ticksS = Object.values(reading.domains).map((energy) =>
    isUnavailable(energy) ? 0 : energy.tickS,
  )
  return Math.min(2.5, Math.max(0, ...ticksS))
}

interface PartedWindow {
  readonly startS: number
  readonly endS: number
  readonly parts: number
}

function readParts(
  meter: Meter,
  { startS, endS, parts }: PartedWindow,
): Promise<readonly EnergyReading[]> {
  const lengthS = (endS - startS) / parts
  return Promise.all(
    Array.from({ length: parts }, (_, part) =>
      meter.energyBetween(startS + part * lengthS, startS + (part + 1) * lengthS),
    ),
  )
}

function powerOf(
  id: string,
  reading: EnergyReading,
  parts: readonly EnergyReading[],
): IdlePower | Unavailable {
  const whole = reading.domains[id]
  if (whole === undefined)
    return { status: 'unavailable', reason: 'no-data', detail: `${id} was not read` }
  const power = idlePower(whole, reading.durationS)
  if (isUnavailable(power)) return power
  const powersW = parts.flatMap((part) => partPower(part.domains[id], part.durationS))
  return {
    ...power,
    uncertaintyW: Math.hypot(power.uncertaintyW, correlatedStandardError(powersW)),
  }
}

function partPower(energy: DomainEnergy | undefined, durationS: number): readonly number[] {
  return energy === undefined || isUnavailable(energy) ? [] : [energy.energyJ / durationS]
}

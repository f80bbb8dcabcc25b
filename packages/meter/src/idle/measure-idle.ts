import { setTimeout as delay } from 'node:timers/promises'
import {
  type DomainEnergy,
  type EnergyReading,
  isUnavailable,
  type Meter,
  type Unavailable,
} from '@energy-bench/spec'
import { type IdleBaseline, type IdlePower, idlePower } from './idle-baseline.js'

/** Options of `measureIdle`. */
export interface MeasureIdleOptions {
  /** Length of the window, seconds. Default 10. */
  readonly durationS?: number
  readonly signal?: AbortSignal
  /** Parts that the window is cut into, to see how much the power varies. Default 5. */
  readonly parts?: number
}

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
  const { durationS = 10, signal, parts = 5 } = options
  const beganS = meter.now()
  const guardS = guardOf(await readAfter(meter, { startS: beganS, durationS: 0.25, signal }))
  const startS = beganS + guardS
  const reading = await readAfter(meter, { startS, durationS, signal })
  await waitUntil(meter, startS + durationS + guardS, signal)
  const partReadings = await readParts(meter, { startS, endS: startS + durationS, parts })
  const entries = meter.domains.map(({ id }) => [id, powerOf(id, reading, partReadings)])
  return { startS, endS: startS + durationS, domains: Object.fromEntries(entries) }
}

interface IdleWindow {
  readonly startS: number
  readonly durationS: number
  readonly signal: AbortSignal | undefined
}

async function readAfter(
  meter: Meter,
  { startS, durationS, signal }: IdleWindow,
): Promise<EnergyReading> {
  await waitUntil(meter, startS + durationS, signal)
  signal?.throwIfAborted()
  return meter.energyBetween(startS, startS + durationS)
}

async function waitUntil(
  meter: Meter,
  timeS: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  // The clock of the meter may be driven by a test, so what is left is asked again and again.
  for (let leftS = timeS - meter.now(); leftS > 0; leftS = timeS - meter.now()) {
    await delay(Math.max(1, 1000 * leftS), undefined, signal === undefined ? {} : { signal })
  }
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
  return { ...power, uncertaintyW: Math.hypot(power.uncertaintyW, standardErrorOf(powersW)) }
}

function partPower(energy: DomainEnergy | undefined, durationS: number): readonly number[] {
  return energy === undefined || isUnavailable(energy) ? [] : [energy.energyJ / durationS]
}

function standardErrorOf(values: readonly number[]): number {
  if (values.length < 2) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

import {
  EnergyBenchError,
  type EnergyReading,
  isUnavailable,
  type Meter,
  type Unavailable,
} from '@energy-bench/spec'
import { waitUntil } from './wait-until.js'

/** Options of `samplePower`. */
export interface SamplePowerOptions {
  /** Length of the stretch that each sample is the mean of, seconds. Default 1. */
  readonly intervalS?: number
  /** Ends the stream; its reason is thrown. */
  readonly signal?: AbortSignal
}

/** Mean power of each domain over one stretch of time. */
export interface PowerOverTime {
  /** End of the stretch, seconds on the clock of the meter. */
  readonly timeS: number
  /** Watts by domain id. */
  readonly powerW: Readonly<Record<string, number | Unavailable>>
}

/**
 * Streams the power of every domain. The stretches follow each other without a gap, so that power x interval adds up
 * to the energy. Each sample comes about one tick after its end.
 *
 * @example
 * for await (const { timeS, powerW } of samplePower(meter, { signal })) console.log(timeS, powerW)
 */
export async function* samplePower(
  meter: Meter,
  options: SamplePowerOptions = {},
): AsyncGenerator<PowerOverTime, void, undefined> {
  const { intervalS = 1, signal } = options
  if (!(intervalS > 0))
    throw new EnergyBenchError('usage-invalid', `intervalS is ${intervalS}`, {
      fix: 'Give a number of seconds above 0.',
    })
  const originS = meter.now()
  for (let count = 1; ; count += 1) {
    const endS = originS + count * intervalS
    await waitUntil(meter, endS, { signal })
    const reading = await meter.energyBetween(endS - intervalS, endS)
    signal?.throwIfAborted()
    yield { timeS: endS, powerW: powerByDomain(reading) }
  }
}

/** Mean power of each domain in a reading, watts. */
export function powerByDomain(
  reading: EnergyReading,
): Readonly<Record<string, number | Unavailable>> {
  return Object.fromEntries(
    Object.entries(reading.domains).map(([id, energy]) => [
      id,
      isUnavailable(energy) ? energy : energy.energyJ / reading.durationS,
    ]),
  )
}

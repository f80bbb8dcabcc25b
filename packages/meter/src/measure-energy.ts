import {
  type EnergyMethod,
  type EnergyReading,
  isUnavailable,
  type Meter,
  type Unavailable,
} from '@energy-bench/spec'
import { type OpenMeterOptions, openMeter } from './open-meter.js'
import { countedDomains, type MethodTotals, primaryMethod, totalByMethod } from './totals.js'
import { waitUntil } from './wait-until.js'

/** Options of `measureEnergy`: a meter that is open, or how to open one. */
export type MeasureEnergyOptions = Omit<OpenMeterOptions, 'meter'> & {
  readonly meter?: Meter | OpenMeterOptions['meter']
}

/** What a piece of work gave, and what it cost. */
export interface MeasuredWork<Value> {
  readonly value: Value
  /** Every domain of the meter. Gross: nothing is taken off for what the machine uses idle. */
  readonly reading: EnergyReading
  /** One total a method, over the domains that count. */
  readonly totals: MethodTotals
  /** The best method that gave a number. */
  readonly method: EnergyMethod | Unavailable
  readonly durationS: number
}

/** A counter shows its first change one tick after it is opened; none in use takes longer, seconds. */
const READY_S = 5
const READY_WINDOW_S = 0.01

/**
 * Runs a function and tells the energy from its start to its end. Opens a meter of its own and closes it, unless it
 * is given one. What the function throws goes through.
 *
 * @example
 * const { value, totals, method } = await measureEnergy(() => answer('What is 6 x 7?'))
 */
export async function measureEnergy<Value>(
  work: () => Promise<Value> | Value,
  options: MeasureEnergyOptions = {},
): Promise<MeasuredWork<Value>> {
  const { meter: wanted, ...others } = options
  if (isMeter(wanted)) return measureOn(wanted, work)
  await using own = await openMeter({
    ...others,
    ...(wanted === undefined ? {} : { meter: wanted }),
  })
  await untilReady(own, options.signal)
  return await measureOn(own, work)
}

function isMeter(wanted: MeasureEnergyOptions['meter']): wanted is Meter {
  return typeof wanted === 'object' && 'energyBetween' in wanted
}

async function measureOn<Value>(
  meter: Meter,
  work: () => Promise<Value> | Value,
): Promise<MeasuredWork<Value>> {
  const startS = meter.now()
  const value = await work()
  const reading = await meter.energyBetween(startS, meter.now())
  const totals = totalByMethod(reading, meter.domains)
  return { value, reading, totals, method: primaryMethod(totals), durationS: reading.durationS }
}

/** Waits until the domains that count have begun to count. One that never does says so in the reading itself. */
async function untilReady(meter: Meter, signal: AbortSignal | undefined): Promise<void> {
  const counted = countedDomains(meter.domains)
  const deadlineS = meter.now() + READY_S
  while (meter.now() < deadlineS) {
    const startS = meter.now()
    await waitUntil(meter, startS + READY_WINDOW_S, { signal })
    const { domains } = await meter.energyBetween(startS, startS + READY_WINDOW_S)
    const isWaiting = counted.some(({ id }) => {
      const energy = domains[id]
      return energy !== undefined && isUnavailable(energy) && energy.reason === 'no-data'
    })
    if (!isWaiting) return
  }
}

import { isUnavailable, type Meter, type Unavailable, unavailable } from '@energy-bench/spec'
import { combineIdle } from './idle/combine-idle.js'
import { measureIdle } from './idle/measure-idle.js'
import { netEnergy } from './idle/net-energy.js'
import { primaryMethod, type TotalEnergy, totalByMethod } from './totals.js'
import { waitUntil } from './wait-until.js'

/** Options of `nullTest`. */
export interface NullTestOptions {
  /** Length of the window and of each idle window, seconds. Default 5. */
  readonly durationS?: number
  readonly signal?: AbortSignal
}

/** What a window of nothing came to. */
export interface NullTest {
  /** True when the net energy lies within two standard uncertainties of 0. */
  readonly passed: boolean
  /** Net energy of the primary method, joules, with its standard uncertainty. */
  readonly net: TotalEnergy | Unavailable
  /** Gross energy of the same window. */
  readonly gross: TotalEnergy | Unavailable
}

/**
 * Measures a window in which nothing runs. Its net energy must be 0 within its uncertainty; if it is not, idle power is
 * not steady here, or the uncertainty is too small, and small differences must not be believed.
 */
export async function nullTest(meter: Meter, options: NullTestOptions = {}): Promise<NullTest> {
  const { durationS = 5, signal } = options
  const idleOptions = { durationS, ...(signal === undefined ? {} : { signal }) }
  const before = await measureIdle(meter, { ...idleOptions, settleS: 'auto' })
  const startS = meter.now()
  await waitUntil(meter, startS + durationS, { signal })
  const reading = await meter.energyBetween(startS, startS + durationS)
  const after = await measureIdle(meter, idleOptions)
  const gross = primaryTotal(totalByMethod(reading, meter.domains))
  const baseline = combineIdle(before, after).baseline
  const net = primaryTotal(totalByMethod(netEnergy(reading, baseline), meter.domains))
  return { passed: isWithinTwo(net), net, gross }
}

function primaryTotal(totals: ReturnType<typeof totalByMethod>): TotalEnergy | Unavailable {
  const method = primaryMethod(totals)
  if (isUnavailable(method)) return method
  return totals[method] ?? unavailable('no-data', `there is no total of ${method}`)
}

function isWithinTwo(net: TotalEnergy | Unavailable): boolean {
  return !isUnavailable(net) && Math.abs(net.energyJ) <= 2 * net.uncertaintyJ
}

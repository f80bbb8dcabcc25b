import type { EnergyReading, Meter } from '@energy-bench/spec'
import type { MeterCheckContext } from './meter-contract.js'

/** A window that has passed. */
export interface PastWindow {
  readonly meter: Meter
  readonly startS: number
  readonly endS: number
}

/** Opens a meter, lets a window pass, and gives both to the body; disposes the meter, whatever happens. */
export async function withWindow(
  { create, pass, windowS }: MeterCheckContext,
  body: (window: PastWindow) => Promise<void>,
): Promise<void> {
  await using meter = await create()
  // One window before, so that a slow counter has been seen to change.
  await pass(windowS, meter)
  const startS = meter.now()
  await pass(windowS, meter)
  await body({ meter, startS, endS: meter.now() })
}

/** The reading of the whole window. */
export function readWhole({ meter, startS, endS }: PastWindow): Promise<EnergyReading> {
  return meter.energyBetween(startS, endS)
}

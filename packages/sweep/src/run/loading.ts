import type { LoadedModel, Meter } from '@energy-bench/spec'
import { windowEnergy } from '../meter-sums.js'
import type { Loading } from '../report/types.js'

/** What loading a model took, where its backend says when that was. */
export async function loadingOf(
  { loading }: LoadedModel,
  meter: Meter,
): Promise<{ readonly loading?: Loading }> {
  if (loading === undefined) return {}
  const { startS, endS } = loading
  const reading = await meter.energyBetween(startS, endS)
  const { energy } = windowEnergy(reading, meter.domains)
  return { loading: { durationS: endS - startS, energy } }
}

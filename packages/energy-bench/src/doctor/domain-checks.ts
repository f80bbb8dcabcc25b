import { type DetectOptions, measureIdle, openMeter } from '@energy-bench/meter'
import { type EnergyDomain, isUnavailable } from '@energy-bench/spec'
import { distinctLabels } from '../distinct-labels.js'
import type { DoctorCheck } from './doctor.js'

/** Long enough to see the tick of every counter that ticks within a second. */
const lookS = 1.5

/** Opens what `auto` would take and says of each domain how it ticks, what it reads now, and what it counts for. */
export async function domainChecks(options: DetectOptions): Promise<DoctorCheck[]> {
  await using meter = await openMeter(options)
  const startS = meter.now()
  await measureIdle(meter, { durationS: lookS })
  const endS = meter.now() - lookS / 10
  const reading = await meter.energyBetween(startS + lookS / 10, endS)
  const labels = distinctLabels(meter.domains)
  return meter.domains.map((domain) => {
    const name = `domain ${labels.get(domain.id)}`
    const energy = reading.domains[domain.id]
    if (energy === undefined) return { name, status: 'missing', detail: 'it was not read' }
    if (isUnavailable(energy)) {
      const { reason, detail, fix } = energy
      return { name, status: 'missing', detail: `${reason}: ${detail}`, ...(fix ? { fix } : {}) }
    }
    const powerW = energy.energyJ / reading.durationS
    const facts = `${powerW.toFixed(1)} W now, tick ${(1000 * energy.tickS).toFixed(0)} ms`
    return { name, status: 'ok', detail: `${facts}, ${roleOf(domain)}` }
  })
}

function roleOf({ method, scope, partOf }: EnergyDomain): string {
  if (partOf !== undefined) return `${method}, part of ${partOf}`
  return scope === 'context' ? `${method}, recorded but not counted` : `${method}, counted`
}

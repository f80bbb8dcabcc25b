import { type DomainEnergy, type EnergyReading, isUnavailable } from '@energy-bench/spec'
import { type IdleBaseline, noBaseline } from './idle-baseline.js'

/**
 * Takes the idle energy off a reading. The result may be negative where the work is small against the noise of
 * the baseline; it is not cut off at 0, since that would make means too high.
 */
export function netEnergy(reading: EnergyReading, baseline: IdleBaseline): EnergyReading {
  const entries = Object.entries(reading.domains).map(([id, gross]) => [
    id,
    netOf(id, gross, { reading, baseline }),
  ])
  return { ...reading, domains: Object.fromEntries(entries) }
}

interface NetContext {
  readonly reading: EnergyReading
  readonly baseline: IdleBaseline
}

function netOf(id: string, gross: DomainEnergy, { reading, baseline }: NetContext): DomainEnergy {
  if (isUnavailable(gross)) return gross
  const idle = baseline.domains[id] ?? noBaseline(id)
  if (isUnavailable(idle)) return idle
  return {
    ...gross,
    energyJ: gross.energyJ - idle.powerW * reading.durationS,
    uncertaintyJ: Math.hypot(gross.uncertaintyJ, reading.durationS * idle.uncertaintyW),
  }
}

import type { EnergyDomain, Unavailable } from '@energy-bench/spec'
import type { Place } from './scope.js'

// The sentences of `Meter.selection`.

/** A driver that is used, and what it found. */
export function usedSentence(name: string, detail: string): string {
  return `${name} is used: ${detail}.`
}

/** A driver or a device of it that is not used, and why. */
export function whySentence(name: string, problem: Unavailable): string {
  return `${name}: ${problem.reason}: ${problem.detail}.`
}

/** What is counted and what is only recorded, where there is a difference. */
export function placeSentences(place: Place, domains: readonly EnergyDomain[]): readonly string[] {
  const beside = domains.filter((domain) => domain.scope === 'context').map((domain) => domain.id)
  if (beside.length === 0) return []
  const where = place.runsOn === 'gpu' ? 'a GPU' : 'the CPU'
  return [
    `The work is taken to run on ${where}, so that these are recorded and not counted: ${beside.join(', ')}.`,
  ]
}

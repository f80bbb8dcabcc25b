import { type DomainEnergy, isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { Settling } from './settle.js'

/** Power of one domain while nothing runs, watts. */
export interface IdlePower {
  readonly powerW: number
  /** Standard uncertainty of `powerW`. */
  readonly uncertaintyW: number
}

/** Idle power of every domain over one window, or over two that were combined. */
export interface IdleBaseline {
  /** Monotonic seconds. */
  readonly startS: number
  readonly endS: number
  readonly domains: Readonly<Record<string, IdlePower | Unavailable>>
  /** How the wait for a steady power before the window ended, where there was one. */
  readonly settling?: Settling
}

/** How far two baselines lie apart: |after - before| / mean, by domain. */
export type IdleDrift = Readonly<Record<string, number | Unavailable>>

/** Turns the energy of an idle window into power. */
export function idlePower(energy: DomainEnergy, durationS: number): IdlePower | Unavailable {
  if (isUnavailable(energy)) return energy
  return { powerW: energy.energyJ / durationS, uncertaintyW: energy.uncertaintyJ / durationS }
}

/** The value for a domain that the baseline does not have. */
export function noBaseline(domainId: string): Unavailable {
  return unavailable(
    'no-data',
    `there is no idle power for ${domainId}`,
    'Measure the idle power with the same meter.',
  )
}

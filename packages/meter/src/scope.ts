import type { EnergyDomain } from '@energy-bench/spec'
import type { MeterId } from './drivers/driver.js'

/** Where the work runs, as far as it is known. */
export type RunsOn = 'gpu' | 'cpu' | 'unknown'

/** The domains of one driver. */
export interface DriverDomains {
  readonly driver: MeterId
  readonly domains: readonly EnergyDomain[]
}

/** What counts as the place of the work, and why, for people. */
export interface Place {
  readonly runsOn: 'gpu' | 'cpu'
  /** Drivers whose GPUs do the work. */
  readonly gpuDrivers: readonly MeterId[]
}

const GPU_DRIVERS: readonly MeterId[] = ['nvml', 'amd', 'intel']

/**
 * Says where the work runs. Unknown means: on a GPU where one is metered. With GPUs of several makers, the first
 * driver of NVML, AMD and Intel is taken for it, unless the meters were named.
 */
export function placeOf(
  opened: readonly DriverDomains[],
  { runsOn, isNamed }: { readonly runsOn: RunsOn; readonly isNamed: boolean },
): Place {
  const gpus = GPU_DRIVERS.filter((id) => opened.some(({ driver }) => driver === id))
  const gpuDrivers = isNamed ? gpus : gpus.slice(0, 1)
  if (runsOn !== 'unknown') return { runsOn, gpuDrivers }
  return { runsOn: gpus.length > 0 ? 'gpu' : 'cpu', gpuDrivers }
}

/** The same domains, each with its scope. */
export function withScopes(
  { driver, domains }: DriverDomains,
  place: Place,
): readonly EnergyDomain[] {
  return domains.map((domain) => ({ ...domain, scope: scopeOf(driver, domain, place) }))
}

function scopeOf(driver: MeterId, domain: EnergyDomain, place: Place): 'workload' | 'context' {
  // Whoever recorded a domain knew its scope.
  if (driver === 'replay') return domain.scope ?? 'workload'
  return countsAt(driver, domain, place) ? 'workload' : 'context'
}

function countsAt(driver: MeterId, { kind }: EnergyDomain, place: Place): boolean {
  // A wall plug is a method of its own, so that it is added to nothing else.
  if (driver === 'wall') return true
  if (kind === 'system') return false
  // All parts of an Apple chip share its memory and its work; an estimate counts the process that works.
  if (driver === 'apple' || driver === 'cpu') return true
  if (kind !== 'gpu') return place.runsOn === 'cpu'
  return place.runsOn === 'gpu' && place.gpuDrivers.includes(driver)
}

/** True when something other than an estimate measures where the work runs. */
export function measuresWork(domains: readonly EnergyDomain[]): boolean {
  return domains.some((domain) => domain.scope === 'workload' && domain.method !== 'model')
}

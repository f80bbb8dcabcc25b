import { type EnergyDomain, isUnavailable } from '@energy-bench/spec'
import type { LinuxSource } from '../../src/linux/polled-source.js'
import { openRaplSource, type RaplSourceOptions } from '../../src/rapl/source.js'
import type { Fixture } from '../linux/fixture.js'

/** Opens a source that must be there. */
export async function open(
  fixture: Fixture,
  options: RaplSourceOptions = {},
): Promise<LinuxSource> {
  const source = await openRaplSource({ ...fixture, ...options })
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

export function idsOf(domains: readonly EnergyDomain[]): readonly string[] {
  return domains.map((domain) => domain.id)
}

/** What a total over the processors counts. */
export function counted(source: LinuxSource): readonly string[] {
  return idsOf(
    source.domains.filter((domain) => domain.kind === 'cpu' && domain.partOf === undefined),
  )
}

import {
  type DomainSample,
  type EnergySource,
  isUnavailable,
  type SourceSample,
  type Unavailable,
} from '@energy-bench/spec'
import type { SourceCheckContext } from './source-contract.js'

/** What a source gave over some polls. */
export interface Polled {
  readonly source: EnergySource
  readonly samples: readonly SourceSample[]
  /** What was thrown in place of a sample. */
  readonly errors: readonly unknown[]
}

/** Opens a source, polls it, and gives what came to the body; disposes the source, whatever happens. */
export async function withSamples(
  { create, between, polls }: SourceCheckContext,
  body: (polled: Polled) => void,
): Promise<void> {
  await using source = await create()
  const samples: SourceSample[] = []
  const errors: unknown[] = []
  for (let poll = 0; poll < polls; poll += 1) {
    await between(poll)
    await source.sample().then(
      (sample) => samples.push(sample),
      (error: unknown) => errors.push(error),
    )
  }
  body({ source, samples, errors })
}

/** All values of one type, with their domains, in the order of the polls. */
export function energiesIn(samples: readonly SourceSample[]): readonly EnergyEntry[] {
  return entriesIn(samples).flatMap(([id, value]) =>
    !isUnavailable(value) && value.type === 'energy' ? [{ id, ...value }] : [],
  )
}

export interface EnergyEntry {
  readonly id: string
  readonly energyJ: number
  readonly atS?: number
}

export function powersIn(samples: readonly SourceSample[]): readonly PowerEntry[] {
  return entriesIn(samples).flatMap(([id, value]) =>
    !isUnavailable(value) && value.type === 'power' ? [{ id, samples: value.samples }] : [],
  )
}

export interface PowerEntry {
  readonly id: string
  readonly samples: readonly { readonly timeS: number; readonly powerW: number }[]
}

export function reasonsIn(
  samples: readonly SourceSample[],
): readonly (readonly [string, Unavailable])[] {
  return entriesIn(samples).flatMap(([id, value]) =>
    isUnavailable(value) ? [[id, value] as const] : [],
  )
}

function entriesIn(samples: readonly SourceSample[]): readonly (readonly [string, DomainSample])[] {
  return samples.flatMap(({ domains }) => Object.entries(domains))
}

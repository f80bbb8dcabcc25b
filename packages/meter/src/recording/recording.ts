import type { EnergyDomain, TimelinePoint } from '@energy-bench/spec'

/** A point with the domain that it belongs to. */
export type RecordedPoint = TimelinePoint & { readonly domain: string }

/** What was seen of some domains, in the order of time. */
export interface Recording {
  readonly domains: readonly EnergyDomain[]
  readonly points: readonly RecordedPoint[]
  /** Times of the first and the last point, seconds. */
  readonly startS: number
  readonly endS: number
}

/** Columns of the CSV form. */
export const CSV_COLUMNS = [
  'domain',
  'kind',
  'method',
  'device',
  'time_s',
  'half_width_s',
  'energy_j',
  'power_w',
] as const

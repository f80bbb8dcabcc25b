import { EnergyBenchError } from '@energy-bench/spec'

/** Throws `usage-invalid` unless the share lies strictly between 0 and 1. */
export function requireShare(share: number, name: string): void {
  if (share > 0 && share < 1) return
  throw new EnergyBenchError('usage-invalid', `${name} must lie between 0 and 1, got ${share}.`)
}

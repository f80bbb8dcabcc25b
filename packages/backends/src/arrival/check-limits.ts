import { EnergyBenchError } from '@energy-bench/spec'

/** Numbers of a load, each of which must be above 0 where it is given. */
type Limits = Readonly<Record<string, number | undefined>>

/** Throws `usage-invalid` for a limit that is not above 0, and for a load that would never end. */
export function checkLimits(
  end: { readonly requests?: number; readonly durationS?: number },
  others: Limits,
): void {
  const { requests, durationS } = end
  if (requests === undefined && durationS === undefined) {
    throw new EnergyBenchError('usage-invalid', 'The load has no end.', {
      fix: 'Give requests, durationS or both.',
    })
  }
  const wrong = Object.entries({ requests, durationS, ...others }).find(
    ([, value]) => value !== undefined && !(value > 0),
  )
  if (wrong === undefined) return
  const [name, value] = wrong
  throw new EnergyBenchError('usage-invalid', `${name} is ${value}.`, {
    fix: `Give a ${name} above 0.`,
  })
}

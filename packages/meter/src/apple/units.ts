import { type Unavailable, unavailable } from '@energy-bench/spec'

const UNITS_PER_JOULE: ReadonlyMap<string, bigint> = new Map([
  ['J', 1n],
  ['mJ', 1_000n],
  ['uJ', 1_000_000n],
  // Two signs look alike: micro (U+00B5) and the Greek letter (U+03BC).
  ['\u00b5J', 1_000_000n],
  ['\u03bcJ', 1_000_000n],
  ['nJ', 1_000_000_000n],
])

/** Energy in joules of a count in the unit that its label names; the label may be padded. Nothing is cut off. */
export function toJoules(count: bigint, label: string | undefined): number | Unavailable {
  const perJoule = UNITS_PER_JOULE.get(label?.trim() ?? '')
  if (perJoule === undefined) {
    return unavailable('not-supported', `the unit ${JSON.stringify(label ?? null)} is not known`)
  }
  // Whole joules and the rest apart: a count of nanojoules may exceed what a number holds.
  return Number(count / perJoule) + Number(count % perJoule) / Number(perJoule)
}

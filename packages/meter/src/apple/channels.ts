/** A part of the chip whose energy is reported. */
export type RailName = 'cpu' | 'gpu' | 'ane' | 'dram'

/** Names of the channels that make up each rail, and how many channels belong to none. */
export interface RailPlan {
  readonly rails: Readonly<Record<RailName, readonly string[]>>
  /** Cores, clusters, caches, memory controllers and the like: parts of a rail or unknown, so never added. */
  readonly otherCount: number
}

/** All rails, in the order in which they are listed. */
export const RAIL_NAMES: readonly RailName[] = ['cpu', 'gpu', 'ane', 'dram']

/**
 * Whole names only: a chip has hundreds of channels whose names contain these words. An entry lists the total
 * first and its parts second; the parts count only where there is no total, as on an Ultra or beside `GPU0`.
 */
const RULES: Readonly<Record<RailName, readonly RegExp[]>> = {
  cpu: [/^CPU Energy$/, /^DIE_\d+_CPU Energy$/],
  gpu: [/^GPU Energy$/, /^GPU\d+(_\d+)?$/],
  ane: [/^ANE\d*(_\d+)?$/],
  dram: [/^DRAM\d*(_\d+)?$/],
}

/** Sorts the channel names of one machine into rails. */
export function planRails(names: readonly string[]): RailPlan {
  const distinct = [...new Set(names)]
  const rails = {
    cpu: namesFor('cpu', distinct),
    gpu: namesFor('gpu', distinct),
    ane: namesFor('ane', distinct),
    dram: namesFor('dram', distinct),
  }
  const counted = RAIL_NAMES.reduce((sum, rail) => sum + rails[rail].length, 0)
  return { rails, otherCount: distinct.length - counted }
}

function namesFor(rail: RailName, names: readonly string[]): readonly string[] {
  for (const rule of RULES[rail]) {
    const matching = names.filter((name) => rule.test(name))
    if (matching.length > 0) return matching
  }
  return []
}

/** What a counter of a GPU covers. `unknown` when the driver does not say. */
export type PowerScope = 'card' | 'package' | 'stack' | 'memory' | 'gpu' | 'unknown'

/** One counter of a GPU before it is decided which one stands for the GPU. */
export interface ScopedCounter {
  readonly scope: PowerScope
  /** True for a counter of one tile. */
  readonly isTile: boolean
}

const ORDER: readonly PowerScope[] = ['card', 'package', 'gpu', 'unknown', 'stack', 'memory']

/** The counter that contains the others: the card before the package before the chip; undefined of none. */
export function findWhole<Item extends ScopedCounter>(counters: readonly Item[]): Item | undefined {
  return [...counters].sort((a, b) => rank(a) - rank(b))[0]
}

function rank(counter: ScopedCounter): number {
  return ORDER.indexOf(counter.scope) + (counter.isTile ? ORDER.length : 0)
}

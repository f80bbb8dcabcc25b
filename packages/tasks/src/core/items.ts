import { EnergyBenchError } from '@energy-bench/spec'
import { makeArithmetic } from './arithmetic.js'
import { makeClassification } from './classification.js'
import { makeExtraction } from './extraction.js'
import { type CoreDraft, type CoreFamily, type CoreItem, coreFamilies, type Level } from './item.js'
import { makeLookup } from './lookup.js'
import { makeOrdering } from './ordering.js'
import { createPythonRandom, type PythonRandom } from './python-random.js'
import { makeWordProblem } from './word-problem.js'

/** Seed of the suite; the reference model never saw the first 400 items a family that it makes. */
export const coreSeed = 1_000_003

/** Most items a family: as many as were kept out of the training of the reference model. */
export const coreItemsPerFamilyLimit = 400

const makers: Readonly<Record<CoreFamily, (level: Level, rng: PythonRandom) => CoreDraft>> = {
  arithmetic: makeArithmetic,
  'word-problem': makeWordProblem,
  lookup: makeLookup,
  extraction: makeExtraction,
  classification: makeClassification,
  ordering: makeOrdering,
}

/** What `coreItems` takes. */
export interface CoreItemsOptions {
  /** 1 to 400, default 50. */
  readonly itemsPerFamily?: number
  /** Default 1 000 003, the only seed whose items are held out from the reference model. */
  readonly seed?: number
}

/**
 * Generates the items of the core suite: family by family, levels 1, 2, 3 in turn, no two alike in a family.
 *
 * @example
 * const [first] = coreItems({ itemsPerFamily: 3 })
 * first?.prompt // 'Work out 142 + 154.'
 */
export function coreItems({
  itemsPerFamily = 50,
  seed = coreSeed,
}: CoreItemsOptions = {}): readonly CoreItem[] {
  assertItemsPerFamily(itemsPerFamily)
  assertSeed(seed)
  return coreFamilies.flatMap((family, position) => {
    const rng = createPythonRandom(seed * 31 + position)
    return familyItems(family, itemsPerFamily, rng)
  })
}

function familyItems(family: CoreFamily, count: number, rng: PythonRandom): CoreItem[] {
  const items = new Map<string, CoreItem>()
  while (items.size < count) {
    const level = ((items.size % 3) + 1) as Level
    const draft = makers[family](level, rng)
    if (items.has(draft.key)) continue
    const id = `${family}-${String(items.size).padStart(3, '0')}`
    items.set(draft.key, { family, level, ...draft, id })
  }
  return [...items.values()]
}

function assertItemsPerFamily(count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= coreItemsPerFamilyLimit) return
  throw new EnergyBenchError('task-invalid', `core: itemsPerFamily is ${count}`, {
    fix: `Give a whole number from 1 to ${coreItemsPerFamilyLimit}.`,
  })
}

function assertSeed(seed: number): void {
  if (Number.isInteger(seed) && seed >= 0 && seed <= 2 ** 48) return
  throw new EnergyBenchError('task-invalid', `core: seed is ${seed}`, {
    fix: 'Give a whole number from 0 to 2^48.',
  })
}

import { byLevel, choose, chooseAndFill, drawInt, pick, range } from './draw.js'
import type { CoreDraft, Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import { templates } from './templates.js'

type Sortable = string | number

const { words: wordList, ordering: phrases } = templates

/** Words or numbers to sort, or the n-th largest or smallest of a list. */
export function makeOrdering(level: Level, rng: PythonRandom): CoreDraft {
  const count = byLevel(level, [drawInt(rng, 4, 5), drawInt(rng, 6, 7), drawInt(rng, 8, 10)])
  const kind = rng.random()
  if (kind < 0.35) {
    const words = rng.sample(wordList, count)
    return sortTask(words, rng.random() < 0.3, { rng, phrases: phrases.words })
  }
  const highest = rng.random() < 0.7 ? byLevel(level, [99, 999, 9999]) : 999
  const numbers = rng.sample(range(1, highest), count)
  if (kind >= 0.75) return rankTask(numbers, rng)
  return sortTask(numbers, rng.random() < 0.45, { rng, phrases: phrases.numbers })
}

function sortTask<T extends Sortable>(
  items: readonly T[],
  isDescending: boolean,
  wording: { readonly rng: PythonRandom; readonly phrases: typeof phrases.words },
): CoreDraft {
  const { sorted, steps } = insertionSort(items, isDescending)
  const { rng, phrases } = wording
  const order = choose(rng, isDescending ? phrases.descending : phrases.ascending)
  const prompt = chooseAndFill(rng, phrases.prompts, { order, list: items.join(', ') })
  return { prompt, answer: sorted.join(', '), think: steps.join('\n'), key: prompt }
}

function rankTask(numbers: readonly number[], rng: PythonRandom): CoreDraft {
  const isDescending = rng.random() < 0.6
  const place = drawInt(rng, 1, Math.min(numbers.length, 5))
  const { sorted, steps } = insertionSort(numbers, isDescending)
  const ordinal = pick(phrases.rank.ordinals, place - 1)
  const rank = `${ordinal}${isDescending ? 'largest' : 'smallest'}`
  const prompt = chooseAndFill(rng, phrases.rank.prompts, { rank, list: numbers.join(', ') })
  const answer = String(pick(sorted, place - 1))
  return { prompt, answer, think: [...steps, `${place}: ${answer}`].join('\n'), key: prompt }
}

// One step an item: the list so far, sorted.
function insertionSort<T extends Sortable>(items: readonly T[], isDescending: boolean) {
  const sorted: T[] = []
  const steps: string[] = []
  for (const item of items) {
    const later = sorted.findIndex((other) => (isDescending ? other < item : other > item))
    sorted.splice(later === -1 ? sorted.length : later, 0, item)
    if (sorted.length > 1) steps.push(sorted.join(' '))
  }
  return { sorted, steps }
}

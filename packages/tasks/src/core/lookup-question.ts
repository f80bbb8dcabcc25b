import { choose, chooseAndFill, drawInt, fill, pick, range } from './draw.js'
import type { Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import type { Column, Table } from './table.js'
import { templates } from './templates.js'

type NumberColumn = 'age' | 'score'
type QuestionKind = 'value' | 'who' | 'most' | 'least' | 'most-of' | 'above'

interface Asked {
  readonly question: string
  readonly answer: string
  readonly think: string
  /** What the answer is one of: the names, or the values of a column. */
  readonly of: 'name' | Column
}

interface Comparison {
  readonly column: NumberColumn
  readonly numbers: readonly number[]
}

const lookup = templates.lookup
// What fills up the options when the table has fewer than four different ones.
const spare: Readonly<Record<'name' | Column, readonly string[]>> = {
  name: templates.names,
  city: templates.cities,
  job: templates.jobs,
  age: range(18, 79).map(String),
  score: range(10, 99).map(String),
}

/** Asks one question about the table; gives the answer and at least three wrong alternatives. */
export function askLookup(
  table: Table,
  level: Level,
  rng: PythonRandom,
): Omit<Asked, 'of'> & { readonly alternatives: readonly string[] } {
  const asked = ask(table, level, rng)
  const pool = asked.of === 'name' ? table.names : table.values[asked.of]
  const alternatives = pool.filter((value) => value !== asked.answer)
  while (alternatives.length < 3) {
    const extra = choose(rng, spare[asked.of])
    if (extra !== asked.answer && !alternatives.includes(extra)) alternatives.push(extra)
  }
  return { ...asked, alternatives }
}

function ask(table: Table, level: Level, rng: PythonRandom): Asked {
  const numeric = table.columns.filter((column) => column === 'age' || column === 'score')
  const kind = choose(rng, possibleKinds(level, numeric.length > 0))
  const column = choose(rng, table.columns)
  const row = Math.floor(rng.random() * table.names.length)
  if (kind === 'value') return askValue(table, { column, row }, rng)
  if (kind === 'who') return askWho(table, { column, row }, rng)
  const compared = choose(rng, numeric)
  const comparison = { column: compared, numbers: table.values[compared].map(Number) }
  if (kind === 'most-of') return askOther(table, comparison, rng)
  if (kind === 'above') return askAbove(table, comparison, rng)
  return askExtreme(table, comparison, kind === 'most')
}

function possibleKinds(level: Level, hasNumbers: boolean): QuestionKind[] {
  const kinds: QuestionKind[] = ['value', 'who']
  if (level >= 2 && hasNumbers) kinds.push('most', 'least')
  if (level === 3) kinds.push('most-of', 'above')
  return kinds
}

interface Cell {
  readonly column: Column
  readonly row: number
}

function askValue(table: Table, { column, row }: Cell, rng: PythonRandom): Asked {
  const name = pick(table.names, row)
  const value = pick(table.values[column], row)
  const question = chooseAndFill(rng, lookup.value, { column, name })
  return { question, answer: value, think: `${name}: ${column} ${value}`, of: column }
}

function askWho(table: Table, { column, row }: Cell, rng: PythonRandom): Asked {
  const name = pick(table.names, row)
  const value = pick(table.values[column], row)
  const question = chooseAndFill(rng, lookup.who, { column, value })
  return { question, answer: name, think: `${column} ${value}: ${name}`, of: 'name' }
}

function askExtreme(table: Table, { column, numbers }: Comparison, isHighest: boolean): Asked {
  const name = pick(table.names, extremeRow(numbers, isHighest))
  const question = fill(lookup.extreme, { extreme: extremeWord(isHighest), column })
  const think = `${runningBest(table.names, numbers, isHighest)}\n${name}`
  return { question, answer: name, think, of: 'name' }
}

function askOther(table: Table, { column, numbers }: Comparison, rng: PythonRandom): Asked {
  const isHighest = rng.random() < 0.5
  const row = extremeRow(numbers, isHighest)
  const columns = table.columns.filter((other) => other !== column)
  const other = choose(rng, columns)
  const value = pick(table.values[other], row)
  const extreme = extremeWord(isHighest)
  const question = fill(lookup.extremeOther, { other, extreme, column })
  const best = runningBest(table.names, numbers, isHighest)
  const think = `${best}\n${pick(table.names, row)}: ${other} ${value}`
  return { question, answer: value, think, of: other }
}

function askAbove(table: Table, { column, numbers }: Comparison, rng: PythonRandom): Asked {
  const sorted = numbers.toSorted((a, b) => b - a)
  const [highest, second] = [pick(sorted, 0), pick(sorted, 1)]
  const name = pick(table.names, numbers.indexOf(highest))
  const limit = drawInt(rng, second, highest - 1)
  const question = fill(lookup.above, { column: lookup.articles[column], limit })
  const best = runningBest(table.names, numbers, true)
  return { question, answer: name, think: `${best}\n${highest}>${limit}: ${name}`, of: 'name' }
}

function extremeWord(isHighest: boolean): string {
  return isHighest ? 'highest' : 'lowest'
}

function extremeRow(numbers: readonly number[], isHighest: boolean): number {
  return numbers.indexOf(isHighest ? Math.max(...numbers) : Math.min(...numbers))
}

// The rows at which the best value so far changes, reading downwards.
function runningBest(
  names: readonly string[],
  numbers: readonly number[],
  isHighest: boolean,
): string {
  let best = isHighest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const lines: string[] = []
  for (const [row, number] of numbers.entries()) {
    if (number > best !== isHighest) continue
    best = number
    lines.push(`${pick(names, row)} ${number}`)
  }
  return lines.join('\n')
}

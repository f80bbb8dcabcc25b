import { byLevel, choose, drawInt, fill, pick, range } from './draw.js'
import type { CoreDraft, Level } from './item.js'
import { askLookup } from './lookup-question.js'
import type { PythonRandom } from './python-random.js'
import type { Column, Table } from './table.js'
import { templates } from './templates.js'

const letters = 'ABCD'
const { names, cities, jobs } = templates
const { columns: allColumns, phrases, optionSeparators, leads, endings } = templates.lookup

/** A small table, a question about it and four options; the answer is a letter. */
export function makeLookup(level: Level, rng: PythonRandom): CoreDraft {
  const table = drawTable(level, rng)
  const shown = showTable(table, rng)
  const { question, answer, think, alternatives } = askLookup(table, level, rng)
  const options = rng.sample(alternatives, 3)
  const position = Math.floor(rng.random() * 4)
  options.splice(position, 0, answer)
  const labelled = options.map((option, i) => `${letters[i]}) ${option}`)
  const list = labelled.join(choose(rng, optionSeparators))
  const prompt = `${choose(rng, leads)}${shown}\n${question}\n${list}${choose(rng, endings)}`
  const walk = labelled
    .slice(0, position + 1)
    .map((option, i) => `${option} ${i === position ? 'yes' : 'no'}`)
  const letter = letters.charAt(position)
  return { prompt, answer: letter, think: [think, ...walk].join('\n'), key: prompt }
}

function drawTable(level: Level, rng: PythonRandom): Table {
  const rows = byLevel(level, [drawInt(rng, 3, 4), drawInt(rng, 4, 7), drawInt(rng, 7, 12)])
  const columns = rng.sample(allColumns as Column[], level)
  // The hardest questions compare numbers.
  if (level === 3 && !columns.includes('age') && !columns.includes('score')) columns[0] = 'age'
  const drawnNames = rng.sample(names, rows)
  const age = rng.sample(range(18, 79), rows).map(String)
  const score = rng.sample(range(10, 99), rows).map(String)
  const city = rng.sample(cities, rows)
  const job = rng.sample(jobs, rows)
  return { names: drawnNames, columns, values: { age, city, job, score } }
}

function showTable(table: Table, rng: PythonRandom): string {
  const shows = [showWithBars, showWithCommas, showAsList, showAsSentences]
  return choose(rng, shows)(table)
}

function showWithBars(table: Table): string {
  return gridOf(table, ' | ')
}

function showWithCommas(table: Table): string {
  return gridOf(table, ',')
}

function gridOf({ names, columns, values }: Table, separator: string): string {
  const rows = names.map((name, i) => [name, ...columns.map((column) => pick(values[column], i))])
  return [['name', ...columns], ...rows].map((cells) => cells.join(separator)).join('\n')
}

function showAsList({ names, columns, values }: Table): string {
  const facts = (i: number) => columns.map((column) => `${column} ${pick(values[column], i)}`)
  return names.map((name, i) => `- ${name}: ${facts(i).join(', ')}`).join('\n')
}

function showAsSentences({ names, columns, values }: Table): string {
  const facts = (i: number) =>
    columns.map((column) => fill(phrases[column], { value: pick(values[column], i) }))
  return names.map((name, i) => `${name} ${facts(i).join(' and ')}.`).join(' ')
}

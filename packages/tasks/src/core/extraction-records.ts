import { choose, chooseAndFill, drawInt, pick } from './draw.js'
import type { Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import { templates } from './templates.js'

/** A text, the fields it holds, and which of them the text corrects. */
export interface ExtractionRecord {
  readonly text: string
  readonly fields: Readonly<Record<string, string | number>>
  readonly notes: readonly string[]
  readonly changed?: string
}

interface Correction {
  readonly key: string
  readonly new: string | number
  readonly templates: readonly string[]
}

const { names, surnames, items, colors, cities, days } = templates
const { order, log, message, ticketLetters } = templates.extraction

/** An order of goods by a customer. */
export function makeOrderRecord(level: Level, rng: PythonRandom): ExtractionRecord {
  const name = `${choose(rng, names)} ${choose(rng, surnames)}`
  const quantity = drawInt(rng, 2, 60)
  const item = `${choose(rng, items)}s`
  const color = choose(rng, colors)
  const city = choose(rng, cities)
  const day = choose(rng, days)
  const number = drawInt(rng, 1000, 99_999)
  const fields = { item, quantity, color, city, name, day, order: number }
  const record = { text: chooseAndFill(rng, order.texts, fields), fields, notes: [] }
  if (level < 3) return record
  const key = choose(rng, order.changeable)
  return correct(record, { key, new: newOrderValue(key, rng), templates: order.corrections }, rng)
}

function newOrderValue(key: string, rng: PythonRandom): string | number {
  if (key === 'quantity') return drawInt(rng, 2, 60)
  if (key === 'color') return choose(rng, colors)
  return choose(rng, key === 'city' ? cities : days)
}

/** A line of a log file. */
export function makeLogRecord(level: Level, rng: PythonRandom): ExtractionRecord {
  const date = `20${drawInt(rng, 20, 29)}-${twoDigits(rng, 1, 12)}-${twoDigits(rng, 1, 28)}`
  const time = `${twoDigits(rng, 0, 23)}:${twoDigits(rng, 0, 59)}:${twoDigits(rng, 0, 59)}`
  const fields = {
    date,
    time,
    level: choose(rng, log.levels),
    service: choose(rng, log.services),
    user: drawInt(rng, 100, 99_999),
    host: drawHost(rng),
    code: choose(rng, log.codes),
  }
  const happened = choose(rng, log.messages)
  const text = chooseAndFill(rng, log.texts, { ...fields, message: happened })
  const record = { text, fields, notes: [] }
  if (level < 3 || rng.random() >= 0.6) return record
  return correct(record, { key: 'host', new: drawHost(rng), templates: log.moves }, rng)
}

/** A message about a meeting. */
export function makeMessageRecord(level: Level, rng: PythonRandom): ExtractionRecord {
  const fields = {
    sender: choose(rng, names),
    day: choose(rng, days),
    time: drawTime(rng),
    room: drawInt(rng, 1, 400),
    phone: `555-${drawInt(rng, 1000, 9999)}`,
    ticket: `${choose(rng, [...ticketLetters])}${choose(rng, [...ticketLetters])}-${drawInt(rng, 100, 9999)}`,
  }
  const record = { text: chooseAndFill(rng, message.texts, fields), fields, notes: [] }
  if (level < 3) return record
  const key = choose(rng, message.changeable)
  // All three are drawn whichever is used: the recipe that trained the model did so.
  const drawn = [choose(rng, days), drawTime(rng), drawInt(rng, 1, 400)]
  const value = pick(drawn, message.changeable.indexOf(key))
  return correct(record, { key, new: value, templates: message.corrections }, rng)
}

function correct(
  record: ExtractionRecord,
  correction: Correction,
  rng: PythonRandom,
): ExtractionRecord {
  const { key, new: value } = correction
  const old = record.fields[key]
  if (old === undefined || old === value) return record
  const sentence = chooseAndFill(rng, correction.templates, { key, old, new: value })
  return {
    text: record.text + sentence,
    fields: { ...record.fields, [key]: value },
    notes: [`${key} ${old} changed to ${value}`],
    changed: key,
  }
}

function drawHost(rng: PythonRandom): string {
  return `${choose(rng, log.hosts)}-${drawInt(rng, 1, 40)}`
}

function drawTime(rng: PythonRandom): string {
  return `${drawInt(rng, 8, 19)}:${choose(rng, message.minutes)}`
}

function twoDigits(rng: PythonRandom, low: number, high: number): string {
  return String(drawInt(rng, low, high)).padStart(2, '0')
}

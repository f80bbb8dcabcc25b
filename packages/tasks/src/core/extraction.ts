import { byLevel, choose, chooseAndFill, drawInt, fill } from './draw.js'
import {
  type ExtractionRecord,
  makeLogRecord,
  makeMessageRecord,
  makeOrderRecord,
} from './extraction-records.js'
import type { CoreDraft, Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import { templates } from './templates.js'

interface Source {
  readonly text: string
  /** Says which record is meant, when there are two. */
  readonly which: string
  readonly notes: readonly string[]
}

const { prompts, which: whichTemplate } = templates.extraction
const recordKinds = [
  { make: makeOrderRecord, identity: 'order' },
  { make: makeLogRecord, identity: 'user' },
  { make: makeMessageRecord, identity: 'sender' },
]

/** A text that holds a record; the answer is a JSON object with some of its fields. */
export function makeExtraction(level: Level, rng: PythonRandom): CoreDraft {
  const kind = choose(rng, recordKinds)
  const record = kind.make(level, rng)
  const addsSecond = level === 3 && rng.random() < 0.5
  const { text, which, notes } = addsSecond
    ? withSecond(record, { record: kind.make(level, rng), identity: kind.identity }, rng)
    : { text: record.text, which: '', notes: record.notes }
  const keys = drawKeys(level, record, rng)
  const prompt = chooseAndFill(rng, prompts, { text, which, keys: keys.join(', ') })
  const fields = keys.map((key) => `${key}: ${record.fields[key]}`)
  const think = [...notes, ...fields].join('\n')
  return { prompt, answer: pythonJson(record.fields, keys), think, key: prompt }
}

function withSecond(
  first: ExtractionRecord,
  second: { readonly record: ExtractionRecord; readonly identity: string },
  rng: PythonRandom,
): Source {
  const { record, identity } = second
  const value = first.fields[identity]
  if (value === undefined || record.fields[identity] === value) {
    return { text: first.text, which: '', notes: first.notes }
  }
  const texts = rng.random() < 0.5 ? [first.text, record.text] : [record.text, first.text]
  const which = fill(whichTemplate, { key: identity, value })
  return { text: texts.join('\n'), which, notes: [...first.notes, `${identity} ${value}`] }
}

function drawKeys(level: Level, { fields, changed }: ExtractionRecord, rng: PythonRandom) {
  const all = Object.keys(fields)
  const count = byLevel(level, [2, drawInt(rng, 3, 4), drawInt(rng, 4, 6)])
  const keys = rng.sample(all, Math.min(count, all.length))
  // What was corrected in the text should be asked for most of the time.
  if (changed !== undefined && rng.random() < 0.8 && !keys.includes(changed)) {
    keys[Math.floor(rng.random() * keys.length)] = changed
  }
  return keys
}

// The spaces are those of Python's json.dumps, which the model was trained on.
function pythonJson(fields: ExtractionRecord['fields'], keys: readonly string[]): string {
  const members = keys.map((key) => `${JSON.stringify(key)}: ${JSON.stringify(fields[key])}`)
  return `{${members.join(', ')}}`
}

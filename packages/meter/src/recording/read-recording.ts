import { readFileSync } from 'node:fs'
import { type EnergyDomain, type Unavailable, unavailable } from '@energy-bench/spec'
import { fromCsvLine } from './csv.js'
import { CSV_COLUMNS, type RecordedPoint, type Recording } from './recording.js'

/** Reads a recording as `exportTimeline` writes it. */
export function readRecording(path: string): Recording | Unavailable {
  try {
    const text = readFileSync(path, 'utf8')
    return parseRecording(text, path.endsWith('.csv') ? 'csv' : 'jsonl')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return unavailable('no-device', `the recording cannot be read: ${why}`, 'Name another file.')
  }
}

/** The recording in a text. */
export function parseRecording(text: string, format: 'csv' | 'jsonl'): Recording | Unavailable {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const entries = format === 'csv' ? csvEntries(lines) : lines.map(jsonEntry)
  const broken = entries.indexOf(undefined)
  if (broken >= 0) return notUnderstood(lines, format === 'csv' ? broken + 1 : broken)
  const known = entries.filter((entry) => entry !== undefined)
  const points = known
    .flatMap(({ point }) => (point === undefined ? [] : [point]))
    .sort((a, b) => a.timeS - b.timeS)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined)
    return unavailable('no-data', 'the recording has no points', 'Record for longer.')
  return { domains: domainsOf(known), points, startS: first.timeS, endS: last.timeS }
}

/** Each domain once, as it is told first. */
function domainsOf(entries: readonly Entry[]): readonly EnergyDomain[] {
  const domains = new Map<string, EnergyDomain>()
  for (const { domain } of entries) {
    if (domain !== undefined && !domains.has(domain.id)) domains.set(domain.id, domain)
  }
  return [...domains.values()]
}

/** What one line says; `undefined` in its place when it is not understood. */
interface Entry {
  readonly domain?: EnergyDomain
  readonly point?: RecordedPoint
}

function notUnderstood(lines: readonly string[], index: number): Unavailable {
  return unavailable(
    'failed',
    `line ${index + 1} of the recording is not understood: ${lines[index]?.slice(0, 80) ?? ''}`,
    'Write it with exportTimeline.',
  )
}

function csvEntries(lines: readonly string[]): readonly (Entry | undefined)[] {
  if (lines[0] !== CSV_COLUMNS.join(',')) return [undefined]
  return lines.slice(1).map(csvEntry)
}

function csvEntry(line: string): Entry | undefined {
  const [id = '', kind, method, deviceId = '', ...numbers] = fromCsvLine(line)
  const [timeS, halfWidthS, energyJ, powerW] = numbers.map((text) =>
    text === '' ? undefined : Number(text),
  )
  const domain = toDomain({ id, kind, method, label: id, deviceId })
  const point = toPoint({ domain: id, timeS, halfWidthS, energyJ, powerW })
  return domain === undefined || point === undefined ? undefined : { domain, point }
}

function jsonEntry(line: string): Entry | undefined {
  try {
    const { type, ...fields } = JSON.parse(line)
    if (type === 'domain') return wrap('domain', toDomain(fields))
    return type === 'point' ? wrap('point', toPoint(fields)) : undefined
  } catch {
    // A line that is no JSON is told apart by its number.
    return undefined
  }
}

function wrap<Key extends string, Value>(key: Key, value: Value | undefined) {
  return value === undefined ? undefined : ({ [key]: value } as { readonly [K in Key]: Value })
}

const KINDS: readonly string[] = ['gpu', 'cpu', 'dram', 'ane', 'soc', 'system']
const METHODS: readonly string[] = ['counter', 'integrated-power', 'wall', 'model']

function toDomain(fields: Readonly<Record<string, unknown>>): EnergyDomain | undefined {
  const { id, kind, method, label, deviceId } = fields
  const isDomain =
    [id, label, deviceId].every((text) => typeof text === 'string' && text !== '') &&
    KINDS.includes(String(kind)) &&
    METHODS.includes(String(method))
  // All required fields were checked; the optional ones are only shown to people.
  return isDomain ? (fields as unknown as EnergyDomain) : undefined
}

function toPoint(fields: Readonly<Record<string, unknown>>): RecordedPoint | undefined {
  const { domain, timeS, halfWidthS, energyJ, powerW } = fields
  if (typeof domain !== 'string' || !isNumber(timeS)) return undefined
  if (isNumber(powerW)) return { domain, timeS, powerW }
  if (!isNumber(energyJ)) return undefined
  return { domain, timeS, energyJ, ...(isNumber(halfWidthS) ? { halfWidthS } : {}) }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

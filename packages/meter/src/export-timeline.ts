import {
  EnergyBenchError,
  type EnergyDomain,
  type Meter,
  type TimelinePoint,
} from '@energy-bench/spec'
import { toCsvLine } from './recording/csv.js'
import { CSV_COLUMNS, type RecordedPoint } from './recording/recording.js'

/** Options of `exportTimeline`. */
export interface ExportTimelineOptions {
  /** `jsonl` keeps what the meter knows about its domains; `csv` their ids, kinds, methods and devices. Default `jsonl`. */
  readonly format?: 'csv' | 'jsonl'
  /** Only what was seen from here, seconds on the clock of the meter. */
  readonly startS?: number
  /** Only what was seen up to here. */
  readonly endS?: number
}

/**
 * The changes and power samples that a meter has recorded, line by line, in the order of time. The meter `replay`
 * plays them again.
 *
 * @example
 * await writeFile('run.jsonl', Readable.from(exportTimeline(meter)))
 */
export async function* exportTimeline(
  meter: Meter,
  options: ExportTimelineOptions = {},
): AsyncGenerator<string, void, undefined> {
  const { format = 'jsonl' } = options
  const points = recordedPoints(meter, options)
  if (format === 'jsonl') {
    for (const domain of meter.domains) yield jsonLine('domain', domain)
    for (const point of points) yield jsonLine('point', point)
    return
  }
  yield `${CSV_COLUMNS.join(',')}\n`
  const domains = new Map(meter.domains.map((domain) => [domain.id, domain]))
  for (const point of points) yield csvLine(point, domains.get(point.domain))
}

function recordedPoints(meter: Meter, options: ExportTimelineOptions): readonly RecordedPoint[] {
  const { startS = Number.NEGATIVE_INFINITY, endS = Number.POSITIVE_INFINITY } = options
  if (meter.pointsBetween === undefined)
    throw new EnergyBenchError('usage-invalid', 'this meter keeps no points', {
      fix: 'Use a meter of openMeter.',
    })
  return Object.entries(meter.pointsBetween(startS, endS))
    .flatMap(([domain, points]) => points.map((point) => ({ domain, ...plain(point) })))
    .sort((a, b) => a.timeS - b.timeS)
}

/** Only the fields of the format, whatever else a timeline knows. */
function plain(point: TimelinePoint): TimelinePoint {
  const { timeS } = point
  if ('powerW' in point) return { timeS, powerW: point.powerW }
  const { halfWidthS, energyJ } = point
  return { timeS, ...(halfWidthS === undefined ? {} : { halfWidthS }), energyJ }
}

function jsonLine(type: 'domain' | 'point', fields: EnergyDomain | RecordedPoint): string {
  return `${JSON.stringify({ type, ...fields })}\n`
}

function csvLine(point: RecordedPoint, domain: EnergyDomain | undefined): string {
  const about = [domain?.kind ?? '', domain?.method ?? '', domain?.deviceId ?? '']
  const values =
    'powerW' in point ? ['', '', point.powerW] : [point.halfWidthS ?? '', point.energyJ, '']
  return `${toCsvLine([point.domain, ...about, point.timeS, ...values])}\n`
}

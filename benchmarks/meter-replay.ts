import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { createTimeline, type Timeline } from '@energy-bench/meter'
import type { BenchmarkResult } from './benchmark.js'
import { deviation, mean, reading, type Window, type Windows } from './replay-uncertainty.js'

interface Poll {
  readonly startS: number
  readonly endS: number
  readonly energyJ: number
  readonly powerW: number
}

/** Energy of a window in one of the compared ways, joules. */
type Reader = (startS: number, endS: number) => number

const data = new URL('../packages/meter/test/data/', import.meta.url)
const cells = ['m_f16.gguf|c1', 'm_q8.gguf|c1', 'm_f16.gguf|c8', 'm_q8.gguf|c8']
const limits: Readonly<Record<string, number>> = {
  'm_f16.gguf|c1': 0.4,
  'm_q8.gguf|c1': 0.4,
  'm_f16.gguf|c8': 0.7,
  'm_q8.gguf|c8': 0.7,
}
const ITEM_LIMIT = 7
/** One tick: the edge of the idle window shares its tick with the load beside it (see `measureIdle`). */
const GUARD_S = 0.1

/** Replays the recording of an H200 through the timeline, and through two plainer readers beside it. */
export async function run(): Promise<BenchmarkResult> {
  const { polls, windows, timeline, idle } = loadRecording()
  const ours = figuresOf(timelineReader(timeline), windows, idle)
  const difference = figuresOf(differenceReader(polls), windows, idle)
  const integration = figuresOf(integrationReader(polls, 0.2), windows, idle)
  return {
    name: 'meter-replay',
    figures: {
      ...named('timeline', ours),
      ...named('plain difference', difference),
      ...named('5 Hz integration', integration),
    },
    targets: Object.fromEntries([
      ...cells.map((cell) => [`timeline ${cell} net CV %`, `<= ${limits[cell]}`]),
      ['timeline items mean CV %', `<= ${ITEM_LIMIT}`],
      ['timeline items of 0 J', '= 0'],
    ]),
    met:
      cells.every((cell) => at(ours, `${cell} net CV %`) <= (limits[cell] ?? 0)) &&
      at(ours, 'items mean CV %') <= ITEM_LIMIT &&
      at(ours, 'items of 0 J') === 0,
    notes: [
      'CV over 8 repetitions with n - 1; idle power from the idle window of the model, one tick in from its edges, the same for all readers.',
      'Item CV with a target is of the gross energy of an item over its 3 runs, with n - 1.',
    ],
  }
}

/** The recording, and what is computed from it once. */
export interface Recording {
  readonly polls: readonly Poll[]
  readonly windows: Windows
  readonly timeline: Timeline
  /** Idle power by model, watts; one for all readers, so that only the reading of the window differs. */
  readonly idle: Readonly<Record<string, number>>
}

/** Loads the recording and feeds it to the timeline. */
export function loadRecording(): Recording {
  const polls = readPolls()
  const windows: Windows = JSON.parse(readFileSync(new URL('h200-windows.json', data), 'utf8'))
  const timeline = fillTimeline(polls)
  const read = timelineReader(timeline)
  const idle = Object.fromEntries(
    Object.entries(windows.idle).map(([model, window]) => [model, idlePowerW(read, window)]),
  )
  return { polls, windows, timeline, idle }
}

/** The recorded polls, times in seconds since the first, the counter in joules since its first value. */
function readPolls(): readonly Poll[] {
  const text = gunzipSync(readFileSync(new URL('h200-polls.csv.gz', data))).toString('utf8')
  let last: Poll = { startS: 0, endS: 0, energyJ: 0, powerW: 0 }
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [gapUs = 0, readUs = 0, stepMj = 0, stepMw = 0] = line.split(',').map(Number)
      const startS = last.endS + gapUs / 1e6
      const energyJ = last.energyJ + stepMj / 1000
      last = { startS, endS: startS + readUs / 1e6, energyJ, powerW: last.powerW + stepMw / 1000 }
      return last
    })
}

/** Feeds the polls through the timeline that the meter uses. */
function fillTimeline(polls: readonly Poll[]): Timeline {
  const timeline = createTimeline({ method: 'counter', type: 'tick', maxPowerW: 1050 })
  for (const { startS, endS, energyJ } of polls)
    timeline.add({ type: 'energy', energyJ }, startS, endS)
  return timeline
}

function timelineReader(timeline: Timeline): Reader {
  return (startS, endS) => reading(timeline, [startS, endS]).energyJ
}

/** What most tools do: the value of the counter at the end less the value at the start. */
function differenceReader(polls: readonly Poll[]): Reader {
  const valueAt = (timeS: number): number =>
    polls.findLast((poll) => poll.endS <= timeS)?.energyJ ?? Number.NaN
  return (startS, endS) => valueAt(endS) - valueAt(startS)
}

/** What the others do: the power every `intervalS`, integrated by trapezoids. */
function integrationReader(polls: readonly Poll[], intervalS: number): Reader {
  const timeline = createTimeline({ method: 'integrated-power', type: 'power' })
  let dueS = 0
  for (const { startS, endS, powerW } of polls) {
    if (endS < dueS) continue
    dueS = endS + intervalS
    timeline.add({ type: 'power', samples: [{ timeS: endS, powerW }] }, startS, endS)
  }
  return timelineReader(timeline)
}

function figuresOf(
  read: Reader,
  windows: Windows,
  idle: Readonly<Record<string, number>>,
): Record<string, number> {
  const figures = cells.map((cell) => [
    `${cell} net CV %`,
    100 *
      variation(
        netEnergies(
          windows.repetitions[cell] ?? [],
          read,
          idle[cell.split('|')[0] ?? ''] ?? Number.NaN,
        ),
      ),
  ])
  const items = windows.items['m_f16.gguf|short'] ?? []
  const energies = items.map((runs) => runs.map(([startS, endS]) => read(startS, endS)))
  const idleW = idle['m_f16.gguf'] ?? Number.NaN
  const net = items.map((runs) => netEnergies(runs, read, idleW))
  return {
    ...Object.fromEntries(figures),
    'items mean CV %': 100 * mean(energies.map(variation)),
    'items net mean CV %': 100 * mean(net.map(variation)),
    'items of 0 J': energies.flat().filter((energyJ) => energyJ <= 0).length,
  }
}

function netEnergies(windows: readonly Window[], read: Reader, idleW: number): readonly number[] {
  return windows.map(([startS, endS]) => read(startS, endS) - idleW * (endS - startS))
}

function idlePowerW(read: Reader, [fromS, untilS]: Window): number {
  return read(fromS + GUARD_S, untilS - GUARD_S) / (untilS - fromS - 2 * GUARD_S)
}

function variation(values: readonly number[]): number {
  const middle = mean(values)
  return middle === 0 ? 1 : deviation(values) / middle
}

function named(reader: string, figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [`${reader} ${name}`, value]),
  )
}

function at(figures: Record<string, number>, name: string): number {
  return figures[name] ?? Number.NaN
}

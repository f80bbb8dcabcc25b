import type {
  DeviceState,
  DomainEnergy,
  EnergyReading,
  MeterRemark,
  SourceSample,
  TimelinePoint,
  Unavailable,
} from '@energy-bench/spec'
import { createTimeline, type Timeline, type TimelineOptions } from '../timeline/timeline.js'
import type { OpenedSource } from './messages.js'
import { createStillWatch, type StillWatch } from './still-watch.js'

/** Everything that one thread saw, by domain. Pure: all times come with the samples. */
export interface History {
  add(sample: SourceSample): void
  /** `silence` says why nothing new has come, where that is known. */
  reading(startS: number, endS: number, silence?: Unavailable): EnergyReading['domains']
  statesBetween(startS: number, endS: number): readonly DeviceState[]
  pointsBetween(startS: number, endS: number): Readonly<Record<string, readonly TimelinePoint[]>>
  remarksBetween(startS: number, endS: number): readonly MeterRemark[]
  /** True when waiting longer cannot change what is said about a window that ends at `timeS`. */
  reaches(timeS: number): boolean
  /** The slowest tick of the domains, seconds. */
  slowestTickS(): number
  /** From now on no sample comes: what is missing stays missing, for this reason. */
  end(why: Unavailable): void
}

const UNKNOWN_TICK_S = 0.2
/** Two days at one state a second. */
const MAX_STATES = 200_000
const MAX_REMARKS = 10_000
/** The same remark is kept once in this time, seconds. */
const REMARK_INTERVAL_S = 10

/** One domain: its timeline, and whether its device sleeps or its counter stands, so that nothing is to be waited for. */
interface Track {
  readonly timeline: Timeline
  readonly still: StillWatch
  isQuiet: boolean
}

/** Makes the history of the domains of these sources. */
export function createHistory(sources: readonly OpenedSource[]): History {
  const tracks = new Map<string, Track>()
  for (const source of sources) {
    for (const [id, options] of Object.entries(source.timelines))
      tracks.set(id, createTrack(options))
  }
  const remarks = createRemarkLog()
  let states: DeviceState[] = []
  let ended: Unavailable | undefined
  const all = (): Track[] => [...tracks.values()]
  return {
    add(sample) {
      for (const id of Object.keys(sample.domains)) addTo(tracks.get(id), sample, id)
      remarks.add(sample)
      states.push(...(sample.states ?? []))
      if (states.length > MAX_STATES) states = states.slice(MAX_STATES / 2)
    },
    reading(startS, endS, silence) {
      const missing = ended ?? silence
      return mapTracks(tracks, (track) => answer(track, { startS, endS, missing }))
    },
    statesBetween: (startS, endS) => within(states, startS, endS),
    pointsBetween: (startS, endS) =>
      mapTracks(tracks, ({ timeline }) => timeline.points({ startS, endS })),
    remarksBetween: remarks.between,
    reaches: (timeS) =>
      ended !== undefined ||
      all().every(({ timeline, isQuiet }) => isQuiet || timeline.reaches(timeS)),
    slowestTickS: () =>
      Math.max(
        UNKNOWN_TICK_S / 10,
        ...all().map(({ timeline }) => timeline.tickS() ?? UNKNOWN_TICK_S),
      ),
    end(why) {
      ended ??= why
    },
  }
}

function createTrack(options: TimelineOptions): Track {
  return { timeline: createTimeline(options), still: createStillWatch(options), isQuiet: false }
}

function addTo(track: Track | undefined, sample: SourceSample, id: string): void {
  const value = sample.domains[id]
  if (track === undefined || value === undefined) return
  track.still.add(value, sample.endS)
  const isResting = 'status' in value && (value.reason === 'asleep' || value.reason === 'stalled')
  track.isQuiet = isResting || track.still.why() !== undefined
  track.timeline.add(value, sample.startS, sample.endS)
}

interface Question {
  readonly startS: number
  readonly endS: number
  readonly missing: Unavailable | undefined
}

function answer({ timeline, still }: Track, { startS, endS, missing }: Question): DomainEnergy {
  const energy = timeline.energyBetween(startS, endS)
  const isSilent = energy.status === 'unavailable' && energy.reason === 'no-data'
  if (!isSilent || timeline.reaches(endS)) return energy
  return missing ?? still.why() ?? energy
}

function createRemarkLog() {
  let remarks: MeterRemark[] = []
  let dueS = Number.NEGATIVE_INFINITY
  return {
    add({ remarks: texts = [], endS }: SourceSample): void {
      if (texts.length === 0 || endS < dueS) return
      dueS = endS + REMARK_INTERVAL_S
      remarks.push(...texts.map((text) => ({ timeS: endS, text })))
      if (remarks.length > MAX_REMARKS) remarks = remarks.slice(MAX_REMARKS / 2)
    },
    between: (startS: number, endS: number): readonly MeterRemark[] =>
      within(remarks, startS, endS),
  }
}

function within<Entry extends { readonly timeS: number }>(
  entries: readonly Entry[],
  startS: number,
  endS: number,
): readonly Entry[] {
  return entries.filter(({ timeS }) => timeS >= startS && timeS <= endS)
}

function mapTracks<Value>(
  tracks: ReadonlyMap<string, Track>,
  map: (track: Track) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries([...tracks].map(([id, track]) => [id, map(track)]))
}

import type {
  DeviceState,
  DomainEnergy,
  EnergyReading,
  SourceSample,
  Unavailable,
} from '@energy-bench/spec'
import { createTimeline, type Timeline } from '../timeline/timeline.js'
import type { OpenedSource } from './messages.js'

/** Everything that was seen, by domain, and the device states. Pure: all times come with the samples. */
export interface History {
  add(sample: SourceSample): void
  reading(startS: number, endS: number): EnergyReading
  statesBetween(startS: number, endS: number): readonly DeviceState[]
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

/** Makes the history of the domains of these sources. */
export function createHistory(sources: readonly OpenedSource[]): History {
  const timelines = new Map<string, Timeline>()
  for (const source of sources) {
    for (const [id, options] of Object.entries(source.timelines))
      timelines.set(id, createTimeline(options))
  }
  let states: DeviceState[] = []
  let ended: Unavailable | undefined
  const all = (): Timeline[] => [...timelines.values()]
  return {
    add(sample) {
      for (const [id, value] of Object.entries(sample.domains)) {
        timelines.get(id)?.add(value, sample.startS, sample.endS)
      }
      states.push(...(sample.states ?? []))
      if (states.length > MAX_STATES) states = states.slice(MAX_STATES / 2)
    },
    reading(startS, endS) {
      const entries = [...timelines].map(([id, timeline]) => [
        id,
        answer(timeline, { startS, endS, ended }),
      ])
      return { startS, endS, durationS: endS - startS, domains: Object.fromEntries(entries) }
    },
    statesBetween: (startS, endS) => states.filter(({ timeS }) => timeS >= startS && timeS <= endS),
    reaches: (timeS) => ended !== undefined || all().every((timeline) => timeline.reaches(timeS)),
    slowestTickS: () =>
      Math.max(UNKNOWN_TICK_S / 10, ...all().map((timeline) => timeline.tickS() ?? UNKNOWN_TICK_S)),
    end(why) {
      ended ??= why
    },
  }
}

interface Question {
  readonly startS: number
  readonly endS: number
  readonly ended: Unavailable | undefined
}

function answer(timeline: Timeline, { startS, endS, ended }: Question): DomainEnergy {
  const energy = timeline.energyBetween(startS, endS)
  const isSilent = energy.status === 'unavailable' && energy.reason === 'no-data'
  return isSilent && ended !== undefined && !timeline.reaches(endS) ? ended : energy
}

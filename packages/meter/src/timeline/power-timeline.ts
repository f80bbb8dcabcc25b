import {
  type DomainEnergy,
  type PowerSample,
  type TimelinePoint,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { closeBreak, isBreak, isLasting, openBreak, type TimelineBreak } from './breaks.js'
import { powerEnergy, recentSpacingS } from './power-energy.js'
import { indicesWithin, numberAt } from './series.js'
import type { Timeline, TimelineOptions, TimelineRange } from './timeline.js'

const DEFAULT_MAX_POWER_W = 2000
/** Half a day at 20 samples a second, 24 MB; the oldest half goes when it is full. */
const MAX_SAMPLES = 1_000_000

/** State of a power timeline. The lists are parallel: one entry a sample; `energiesJ` is the running integral. */
export interface PowerLog {
  readonly options: TimelineOptions
  timesS: number[]
  powersW: number[]
  energiesJ: number[]
  readonly breaks: TimelineBreak[]
  rejected: number
  failure: Unavailable | undefined
  /** Why the polls since the last sample gave nothing. */
  silence: Unavailable | undefined
}

/** A timeline of power samples: trapezoids on the real times of the samples. */
export function createPowerTimeline(options: TimelineOptions): Timeline {
  const log: PowerLog = {
    options,
    timesS: [],
    powersW: [],
    energiesJ: [],
    breaks: [],
    rejected: 0,
    failure: undefined,
    silence: undefined,
  }
  return {
    add(sample) {
      if ('status' in sample) fail(log, sample)
      else if (sample.type === 'power') for (const entry of sample.samples) addSample(log, entry)
    },
    energyBetween: (startS, endS): DomainEnergy => powerEnergy(log, startS, endS),
    reaches: (timeS) => reaches(log, timeS),
    points: (range) => pointsOf(log, range),
    tickS: () => recentSpacingS(log, log.timesS.length),
    rejected: () => log.rejected,
  }
}

function pointsOf(log: PowerLog, range: TimelineRange = {}): readonly TimelinePoint[] {
  return indicesWithin(log.timesS, range).map((index) => ({
    timeS: numberAt(log.timesS, index),
    powerW: numberAt(log.powersW, index),
  }))
}

function reaches(log: PowerLog, timeS: number): boolean {
  if (log.failure !== undefined && isLasting(log.failure)) return true
  const brokenFromS = log.breaks.at(-1)?.fromS
  return (log.timesS.at(-1) ?? -1) >= timeS || (brokenFromS !== undefined && brokenFromS < timeS)
}

function fail(log: PowerLog, why: Unavailable): void {
  log.failure = why
  const lastS = log.timesS.at(-1)
  if (lastS === undefined) return
  if (why.reason === 'device-lost') openBreak(log.breaks, lastS, why)
  else log.silence ??= why
}

/** What lies between two samples far apart is unknown when the source said that it had nothing to say. */
function endSilence(log: PowerLog, timeS: number): void {
  const { silence } = log
  const lastS = log.timesS.at(-1)
  log.silence = undefined
  if (silence === undefined || lastS === undefined) return
  if (isBreak(timeS - lastS, recentSpacingS(log, log.timesS.length))) {
    openBreak(log.breaks, lastS, silence)
  }
}

function addSample(log: PowerLog, sample: PowerSample): void {
  const lastS = log.timesS.at(-1)
  if (lastS !== undefined && sample.timeS <= lastS) return
  const maxPowerW = log.options.maxPowerW ?? DEFAULT_MAX_POWER_W
  if (!(sample.powerW >= 0 && sample.powerW <= maxPowerW)) {
    log.rejected += 1
    log.failure = unavailable(
      'implausible',
      `the device said ${sample.powerW} W, limit ${maxPowerW} W`,
    )
    return
  }
  log.failure = undefined
  endSilence(log, sample.timeS)
  closeBreak(log.breaks, sample.timeS)
  const gainedJ = lastS === undefined ? 0 : trapezoidJ(log, sample, lastS)
  log.energiesJ.push((log.energiesJ.at(-1) ?? 0) + gainedJ)
  log.timesS.push(sample.timeS)
  log.powersW.push(sample.powerW)
  if (log.timesS.length > MAX_SAMPLES) dropOldest(log, MAX_SAMPLES / 2)
}

function trapezoidJ(log: PowerLog, sample: PowerSample, lastS: number): number {
  const lastW = numberAt(log.powersW, log.powersW.length - 1)
  return ((lastW + sample.powerW) / 2) * (sample.timeS - lastS)
}

function dropOldest(log: PowerLog, count: number): void {
  log.timesS = log.timesS.slice(count)
  log.powersW = log.powersW.slice(count)
  log.energiesJ = log.energiesJ.slice(count)
}

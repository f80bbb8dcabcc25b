import {
  type DeviceInfo,
  type EnergyDomain,
  isUnavailable,
  type SourceSample,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import type { PolledSource } from '../polling/polled-source.js'
import type { TimelineOptions } from '../timeline/timeline.js'
import { readRecording } from './read-recording.js'
import type { RecordedPoint, Recording } from './recording.js'
import type { ReplayConfig } from './replay-config.js'

/** Power above this is not believed; a recording may be of a wall plug, watts. */
const MAX_POWER_W = 20_000
const INTERVAL_S = 0.02

/** Opens a recording as a source that was polled just as it was recorded. */
export async function openReplaySource(
  config: ReplayConfig,
  now: () => number = monotonicS,
): Promise<PolledSource | Unavailable> {
  const recording = readRecording(config.path)
  return isUnavailable(recording) ? recording : createReplaySource(recording, config.time, now)
}

/** Makes the source of a recording. */
export function createReplaySource(
  recording: Recording,
  time: ReplayConfig['time'] = 'recorded',
  now: () => number = monotonicS,
): PolledSource {
  const { domains, points } = recording
  const shiftS = time === 'real' ? now() - recording.startS : 0
  const dueUntil = (): number => (time === 'real' ? now() - shiftS : Number.POSITIVE_INFINITY)
  let next = 0
  const takeDue = (): readonly SourceSample[] => {
    const untilS = dueUntil()
    const from = next
    // Behind the last point there is no time, and NaN ends the loop.
    while ((points[next]?.timeS ?? Number.NaN) <= untilS) next += 1
    return points.slice(from, next).map((point) => toSample(point, shiftS))
  }
  const endS = recording.endS + shiftS
  return {
    id: 'replay',
    domains,
    devices: devicesOf(domains),
    pacing: { type: 'steady', intervalS: INTERVAL_S },
    timelines: Object.fromEntries(domains.map((domain) => [domain.id, timelineOf(domain, points)])),
    sample: async () => takeDue()[0] ?? { startS: endS, endS, domains: {} },
    sampleMany: async () => takeDue(),
    whyOver: () =>
      next < points.length
        ? undefined
        : unavailable('no-data', `the recording ends at ${endS} s`, 'Ask for an earlier window.'),
    async [Symbol.asyncDispose]() {},
  }
}

/** A change was dated when it was recorded: it was then, give or take its half width. */
function toSample(point: RecordedPoint, shiftS: number): SourceSample {
  const timeS = point.timeS + shiftS
  if ('powerW' in point) {
    const samples = [{ timeS, powerW: point.powerW }]
    return { startS: timeS, endS: timeS, domains: { [point.domain]: { type: 'power', samples } } }
  }
  const { energyJ, halfWidthS = 0 } = point
  return {
    startS: timeS - halfWidthS,
    endS: timeS + halfWidthS,
    domains: { [point.domain]: { type: 'energy', energyJ } },
  }
}

/** Every point of a recorded counter is a change with its date, so that none is to be looked for again. */
function timelineOf(domain: EnergyDomain, points: readonly RecordedPoint[]): TimelineOptions {
  const first = points.find((point) => point.domain === domain.id)
  const type = first !== undefined && 'powerW' in first ? 'power' : 'steady'
  return { method: domain.method, type, maxPowerW: MAX_POWER_W }
}

function devicesOf(domains: readonly EnergyDomain[]): readonly DeviceInfo[] {
  const missing = unavailable('not-supported', 'a recording does not tell this')
  return [...new Map(domains.map((domain) => [domain.deviceId, domain.kind]))].map(
    ([id, kind]): DeviceInfo => ({
      id,
      kind: kind === 'gpu' || kind === 'system' ? kind : 'cpu',
      name: `${id}, recorded`,
      driver: missing,
      memoryBytes: missing,
      powerLimitW: missing,
      powerLimitDefaultW: missing,
    }),
  )
}

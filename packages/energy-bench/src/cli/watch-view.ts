import { type EnergyDomain, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { distinctLabels } from '../distinct-labels.js'
import { joules, significant } from './format.js'
import { sparkline } from './sparkline.js'

/** Power of every domain over one stretch. */
export interface WatchSample {
  /** Length of the stretch, seconds. */
  readonly durationS: number
  /** Watts by domain id. */
  readonly powerW: Readonly<Record<string, number | Unavailable>>
}

/** Everything a screen of `watch` shows: one row a domain. */
export interface WatchView {
  add(sample: WatchSample): void
  /** The rows as they stand now, each at most so many columns wide. */
  rows(columns: number): readonly string[]
  /** Mean power and energy of each domain since the start. */
  totals(): readonly string[]
}

const samplesKept = 200

interface Track {
  readonly domain: EnergyDomain
  readonly label: string
  powersW: (number | null)[]
  energyJ: number
  seenS: number
  why: string
}

/** Makes an empty view of these domains. */
export function createWatchView(domains: readonly EnergyDomain[]): WatchView {
  const labels = distinctLabels(domains)
  const tracks: Track[] = domains.map((domain) => ({
    domain,
    label: labels.get(domain.id) ?? domain.label,
    powersW: [],
    energyJ: 0,
    seenS: 0,
    why: 'no data yet',
  }))
  const width = Math.min(34, Math.max(0, ...tracks.map(({ label }) => label.length)))
  return {
    add(sample) {
      for (const track of tracks) take(track, sample)
    },
    rows: (columns) => tracks.map((track) => row(track, width, columns)),
    totals: () => tracks.map((track) => total(track, width)),
  }
}

function take(track: Track, { durationS, powerW }: WatchSample): void {
  const power = powerW[track.domain.id]
  const isMissing = power === undefined || isUnavailable(power)
  track.powersW.push(isMissing ? null : power)
  if (track.powersW.length > samplesKept) track.powersW.shift()
  if (isMissing) {
    track.why = power === undefined ? 'not read' : `${power.reason}: ${power.detail}`
    return
  }
  track.energyJ += power * durationS
  track.seenS += durationS
}

function row(track: Track, width: number, columns: number): string {
  const label = track.label.slice(0, width).padEnd(width)
  const last = track.powersW.at(-1) ?? null
  if (last === null) return `${label}  ${track.why}`.slice(0, columns)
  const power = `${significant(last)} W`.padStart(9)
  const room = Math.max(0, columns - width - power.length - 4)
  return `${label}  ${power}  ${room === 0 ? '' : sparkline(track.powersW.slice(-room))}`
}

function total({ domain, label: text, energyJ, seenS, why }: Track, width: number): string {
  const label = text.slice(0, width).padEnd(width)
  if (seenS === 0) return `${label}  ${why}`
  const estimate = domain.method === 'model' ? ' (an estimate)' : ''
  return `${label}  ${joules(energyJ)} in ${significant(seenS)} s, ${significant(energyJ / seenS)} W on average${estimate}`
}

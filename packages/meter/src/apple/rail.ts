import { type DomainSample, type Unavailable, unavailable } from '@energy-bench/spec'
import { type CadenceLog, createCadenceLog, type RailState } from './cadence.js'
import { addPublication, type ChannelValue, energyAt, type PublicationLog } from './publications.js'

/** Cumulative energy, dated by the chip where it stamps its publications. */
type StampedEnergy = Extract<DomainSample, { readonly type: 'energy' }>

/** When a poll happened, on the two clocks that must be told apart. */
export interface PollTime {
  /** Mach clock, seconds: the clock of the stamps, which stands still in sleep. */
  readonly awakeS: number
  /** Clock of the meter, seconds, at the same moment. */
  readonly timeS: number
}

/** One rail: the sum of some channels, dated by their publications. */
export interface Rail {
  /** Takes the channels of one poll; all channels of the rail, every time. */
  add(values: readonly ChannelValue[], poll: PollTime): void
  /** What the last poll amounts to. `newestS` is the latest publication on any rail, mach clock. */
  sample(newestS: number): StampedEnergy | Unavailable
  /** Latest publication that all channels have reached, mach clock. */
  publishedS(): number
  state(): RailState
}

export interface RailOptions {
  /** For messages, for example `CPU`. */
  readonly label: string
  /** True for a part that may truly use nothing for a while, so that a value at rest without stamp is no fault. */
  readonly canRest: boolean
}

/** A channel that has not moved for this long is broken: the slowest batches seen are 2.2 s apart, seconds. */
export const STALL_S = 10

interface RailLog {
  readonly options: RailOptions
  readonly channels: Map<string, PublicationLog>
  readonly cadence: CadenceLog
  isStamped: boolean
  poll: PollTime
  /** The point that was reported last; the same publication always gets the same date. */
  point: { readonly publishedS: number; readonly sample: StampedEnergy } | undefined
}

/** Makes a rail that has seen nothing. Pure: all times are given. */
export function createRail(options: RailOptions): Rail {
  const log: RailLog = {
    options,
    channels: new Map(),
    cadence: createCadenceLog(),
    isStamped: true,
    poll: { awakeS: 0, timeS: 0 },
    point: undefined,
  }
  return {
    add: (values, poll) => add(log, values, poll),
    sample: (newestS) => stall(log, newestS) ?? energyOf(log),
    publishedS: () => publishedS(log),
    state: () => stateOf(log),
  }
}

function add(log: RailLog, values: readonly ChannelValue[], poll: PollTime): void {
  log.poll = poll
  log.isStamped = values.every((value) => value.stampS !== undefined)
  for (const value of values) {
    const publications = log.channels.get(value.key) ?? []
    log.channels.set(value.key, publications)
    addPublication(publications, value, poll.awakeS)
  }
  log.cadence.add(publishedS(log), poll.awakeS)
}

/** The channels of a rail publish some milliseconds apart; the sum is known up to the latest of the slowest. */
function publishedS(log: RailLog): number {
  const latest = [...log.channels.values()].map((entries) => entries.at(-1)?.publishedS)
  return Math.min(...latest.filter((timeS) => timeS !== undefined))
}

function isStalled(log: RailLog): boolean {
  const isSilent = log.poll.awakeS - publishedS(log) > STALL_S
  return isSilent && (log.isStamped || !log.options.canRest)
}

function stateOf(log: RailLog): RailState {
  if (log.channels.size === 0) return { status: 'absent' }
  const sinceS = log.poll.awakeS - publishedS(log)
  return isStalled(log) ? { status: 'stalled', sinceS } : log.cadence.state()
}

function stall(log: RailLog, newestS: number): Unavailable | undefined {
  if (!isStalled(log)) return undefined
  const sinceS = (log.poll.awakeS - publishedS(log)).toFixed(0)
  const doMoveOthers = log.poll.awakeS - newestS <= STALL_S
  const rest = doMoveOthers ? 'while others have' : 'nor has any other'
  return unavailable(
    'stalled',
    `the ${log.options.label} energy channel has not moved for ${sinceS} s, ${rest}`,
    'macOS stops publishing on some chips after sleep: restart the machine, or use apple:system.',
  )
}

function energyOf(log: RailLog): StampedEnergy | Unavailable {
  if (!log.isStamped) return { type: 'energy', energyJ: latestSumJ(log) }
  const upToS = publishedS(log)
  if (log.point?.publishedS === upToS) return log.point.sample
  const energyJ = sumAtJ(log, upToS)
  if (energyJ === undefined) {
    return unavailable('no-data', `not all ${log.options.label} channels have published yet`)
  }
  // Ages, not absolute stamps, go from one clock to the other: the two drift apart in sleep.
  const atS = log.poll.timeS - (log.poll.awakeS - upToS)
  log.point = { publishedS: upToS, sample: { type: 'energy', energyJ, atS } }
  return log.point.sample
}

function latestSumJ(log: RailLog): number {
  return [...log.channels.values()].reduce(
    (sum, entries) => sum + (entries.at(-1)?.energyJ ?? 0),
    0,
  )
}

function sumAtJ(log: RailLog, timeS: number): number | undefined {
  let sumJ = 0
  for (const entries of log.channels.values()) {
    const energyJ = energyAt(entries, timeS)
    if (energyJ === undefined) return undefined
    sumJ += energyJ
  }
  return sumJ
}

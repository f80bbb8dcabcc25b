import { type DomainSample, isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { RailState } from './cadence.js'
import { planRails, RAIL_NAMES, type RailName, type RailPlan } from './channels.js'
import { railId, railLabel } from './domains.js'
import type { EnergyReport, RawChannel } from './ioreport.js'
import type { MachClock } from './mach-clock.js'
import type { ChannelValue } from './publications.js'
import { createRail, type PollTime, type Rail, STALL_S } from './rail.js'
import { toJoules } from './units.js'

/** All rails of the chip, read together. */
export interface Rails {
  /** Reads every rail; `now` is the clock of the meter, seconds. */
  poll(now: () => number): RailsPoll
}

/** One poll of all rails, by domain id. */
export interface RailsPoll {
  readonly domains: Readonly<Record<string, DomainSample>>
  readonly states: Readonly<Record<string, RailState>>
}

/** A stamp may lie this far ahead of the clock that was read a moment later, seconds. */
const AHEAD_S = 0.05

interface RailsLog {
  readonly report: EnergyReport
  readonly clock: MachClock
  readonly rails: Readonly<Record<RailName, Rail>>
  /** Fixed by the first sample: a channel that vanishes for a moment must not swap a total for its parts. */
  plan: RailPlan | undefined
  /** That stamps are mach ticks is not documented; they are believed once one of them is a few seconds old. */
  areStampsTrusted: boolean
}

/** Follows the rails of an energy report. */
export function createRails(report: EnergyReport, clock: MachClock): Rails {
  const rail = (name: RailName) =>
    createRail({ label: railLabel(name), canRest: name === 'gpu' || name === 'ane' })
  const log: RailsLog = {
    report,
    clock,
    rails: { cpu: rail('cpu'), gpu: rail('gpu'), ane: rail('ane'), dram: rail('dram') },
    plan: undefined,
    areStampsTrusted: false,
  }
  return { poll: (now) => poll(log, now) }
}

/** The answer for rails that cannot be read at all. */
export function noRails(why: Unavailable): Rails {
  const domains = byRail(() => why)
  return { poll: () => ({ domains, states: byRail(() => ({ status: 'absent' })) }) }
}

function poll(log: RailsLog, now: () => number): RailsPoll {
  const channels = log.report.sample(wantedBy(log.plan))
  const time = { awakeS: log.clock.awakeS(), timeS: now() }
  if (isUnavailable(channels)) {
    return { domains: byRail(() => channels), states: byRail((name) => log.rails[name].state()) }
  }
  // An empty first sample is no plan.
  if (channels.length > 0) log.plan ??= planRails(channels.map((channel) => channel.name))
  log.areStampsTrusted ||= channels.some((channel) => isRecent(stampOf(log, channel), time.awakeS))
  const failures = byRail((name) => feed(log, name, { channels, time }))
  const newestS = Math.max(
    ...RAIL_NAMES.map((name) => log.rails[name].publishedS()).filter(Number.isFinite),
  )
  return {
    domains: byRail((name) => failures[railId(name)] ?? log.rails[name].sample(newestS)),
    states: byRail((name) => log.rails[name].state()),
  }
}

function wantedBy(plan: RailPlan | undefined): (name: string) => boolean {
  if (plan === undefined) return () => true
  const names = new Set(RAIL_NAMES.flatMap((rail) => plan.rails[rail]))
  return (name) => names.has(name)
}

function byRail<Value>(of: (name: RailName) => Value): Record<string, Value> {
  return Object.fromEntries(RAIL_NAMES.map((name) => [railId(name), of(name)]))
}

interface Read {
  readonly channels: readonly RawChannel[]
  readonly time: PollTime
}

/** Gives a rail its channels; says why, if one of them cannot be used: a sum that lacks a part is no sum. */
function feed(log: RailsLog, name: RailName, { channels, time }: Read): Unavailable | undefined {
  if (log.plan === undefined) {
    return unavailable('no-data', 'the sample of IOReport has no channel at all')
  }
  const wanted = log.plan.rails[name]
  if (wanted.length === 0) {
    return unavailable('not-supported', `this chip publishes no ${railLabel(name)} energy channel`)
  }
  const found = channels.filter((channel) => wanted.includes(channel.name))
  const missing = wanted.find((key) => !found.some((channel) => channel.name === key))
  if (missing !== undefined) return unavailable('no-data', `the sample has no channel ${missing}`)
  const values = found.map((channel) => channelValue(log, channel, time))
  const failure = values.find(isUnavailable)
  if (failure !== undefined) return failure
  const known = values.filter((value): value is ChannelValue => !isUnavailable(value))
  log.rails[name].add(known, time)
  return undefined
}

function channelValue(
  log: RailsLog,
  channel: RawChannel,
  time: PollTime,
): ChannelValue | Unavailable {
  const { key, name, unit, value } = channel
  if (value === undefined || value < 0n) {
    return unavailable('implausible', `channel ${name} has the value ${value ?? 'none'}`)
  }
  const energyJ = toJoules(value, unit)
  if (isUnavailable(energyJ)) return { ...energyJ, detail: `channel ${name}: ${energyJ.detail}` }
  const stampS = log.areStampsTrusted ? stampOf(log, channel) : undefined
  const isUsable = stampS !== undefined && stampS <= time.awakeS + AHEAD_S
  return isUsable ? { key, energyJ, stampS } : { key, energyJ }
}

function stampOf(log: RailsLog, channel: RawChannel): number | undefined {
  const ticks = channel.stampTicks
  return ticks === undefined || ticks === 0n ? undefined : log.clock.stampS(ticks)
}

function isRecent(stampS: number | undefined, awakeS: number): boolean {
  return stampS !== undefined && stampS <= awakeS + AHEAD_S && stampS >= awakeS - STALL_S
}

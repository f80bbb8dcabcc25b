import { isUnavailable, type Unavailable } from '@energy-bench/spec'
import { type IdleBaseline, type IdleDrift, type IdlePower, noBaseline } from './idle-baseline.js'

/** The baseline from before and the one from after the work as one, and how far they lie apart. */
export interface CombinedIdle {
  readonly baseline: IdleBaseline
  /** |after - before| / mean by domain; large values mean that the machine was not the same. */
  readonly driftRatio: IdleDrift
  /** Domains that drifted by more than 5 % or 3 W, and by more than their uncertainties explain. */
  readonly drifted: readonly string[]
}

const MAX_DRIFT_RATIO = 0.05
const MAX_DRIFT_W = 3
/** A difference within this many standard uncertainties is chance. */
const CHANCE = 2

/** Combines two baselines: the mean; its uncertainty is that of the mean or half the difference, if that is larger. */
export function combineIdle(before: IdleBaseline, after: IdleBaseline): CombinedIdle {
  const ids = Object.keys(before.domains)
  return {
    baseline: {
      startS: before.startS,
      endS: after.endS,
      domains: Object.fromEntries(
        ids.map((id) => [id, withPair(before, after, { id, use: meanOf })]),
      ),
    },
    driftRatio: Object.fromEntries(
      ids.map((id) => [id, withPair(before, after, { id, use: driftOf })]),
    ),
    drifted: ids.filter((id) => withPair(before, after, { id, use: hasDrifted }) === true),
  }
}

interface PairUse<Value> {
  readonly id: string
  readonly use: (before: IdlePower, after: IdlePower) => Value
}

function withPair<Value>(
  before: IdleBaseline,
  after: IdleBaseline,
  { id, use }: PairUse<Value>,
): Value | Unavailable {
  const first = before.domains[id] ?? noBaseline(id)
  const second = after.domains[id] ?? noBaseline(id)
  if (isUnavailable(first)) return first
  return isUnavailable(second) ? second : use(first, second)
}

function meanOf(before: IdlePower, after: IdlePower): IdlePower {
  const standardErrorW = Math.hypot(before.uncertaintyW, after.uncertaintyW) / 2
  const halfDifferenceW = Math.abs(after.powerW - before.powerW) / 2
  return {
    powerW: (before.powerW + after.powerW) / 2,
    uncertaintyW: Math.max(standardErrorW, halfDifferenceW),
  }
}

function driftOf(before: IdlePower, after: IdlePower): number {
  const meanW = (before.powerW + after.powerW) / 2
  return meanW === 0 ? 0 : Math.abs(after.powerW - before.powerW) / Math.abs(meanW)
}

function hasDrifted(before: IdlePower, after: IdlePower): boolean {
  const differenceW = Math.abs(after.powerW - before.powerW)
  const isLarge = driftOf(before, after) > MAX_DRIFT_RATIO || differenceW > MAX_DRIFT_W
  return isLarge && differenceW > CHANCE * Math.hypot(before.uncertaintyW, after.uncertaintyW)
}

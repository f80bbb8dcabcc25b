import { breakWithin } from './breaks.js'
import type { CounterLog } from './counter-timeline.js'
import { numberAt } from './series.js'

/** An interval between changes that is this many median ticks long hides a change that nobody saw. */
export const GAP_FACTOR = 1.6
/** Standard uncertainty of a step, as a share of the way from it to the straight line; from docs/decisions/0003. */
const STEP_DOUBT = 0.3
/** Where no step is found: standard uncertainty as a share of the largest error that the levels around allow. */
const LINE_DOUBT = 0.75
/** Two levels that differ by chance differ by this much more than each of them is uncertain. */
const OF_DIFFERENCE = Math.SQRT2
/** Ticks on each side whose powers tell what the power may have been inside this one. */
const TICKS_AROUND = 2

/** How the energy of one interval between two changes is laid out inside it. */
export interface TickShape {
  readonly index: number
  readonly fromS: number
  readonly lengthS: number
  readonly energyJ: number
  readonly powerW: number
  /** Power that the tick begins and ends with, where it steps once in between; else the mean on both sides. */
  readonly beforeW: number
  readonly afterW: number
  /** Place of the step, 0 to 1; `undefined` where none was found and the energy is laid out evenly. */
  readonly stepShare: number | undefined
  /** How well the two levels are known, watts; for an even tick, how far the power may vary inside. */
  readonly beforeDoubtW: number
  readonly afterDoubtW: number
}

/**
 * Lays out one interval. A load that starts or stops inside a tick leaves the mean of that tick between the levels of
 * its neighbours, and where between them tells when: share = (after - mean) / (after - before). A straight line in its
 * place would give energy of the load to the time before it. Without such a mean, the line is all there is.
 */
export function tickShape(log: CounterLog, index: number, tickS: number): TickShape {
  const fromS = numberAt(log.timesS, index)
  const lengthS = numberAt(log.timesS, index + 1) - fromS
  const powerW = powerOf(log, index) ?? Number.NaN
  const base = { index, fromS, lengthS, energyJ: numberAt(log.energiesJ, index), powerW }
  const [beforeW, afterW] = [powerOf(log, index - 1), powerOf(log, index + 1)]
  // Nobody knows how often the power changed while polls were lost.
  const hiddenW = lengthS > GAP_FACTOR * tickS ? Math.max(powerW, spreadAround(log, index)) : 0
  if (beforeW === undefined || afterW === undefined || !isBetween(powerW, beforeW, afterW)) {
    const doubtW = Math.max(hiddenW, spreadAround(log, index))
    const even = { beforeW: powerW, afterW: powerW, stepShare: undefined }
    return { ...base, ...even, beforeDoubtW: doubtW, afterDoubtW: doubtW }
  }
  return {
    ...base,
    beforeW,
    afterW,
    stepShare: (afterW - powerW) / (afterW - beforeW),
    beforeDoubtW: Math.max(hiddenW, spreadOf([powerOf(log, index - 2), beforeW])) / OF_DIFFERENCE,
    afterDoubtW: Math.max(hiddenW, spreadOf([afterW, powerOf(log, index + 2)])) / OF_DIFFERENCE,
  }
}

/** Energy gained from the begin of the tick to a place in it, joules. */
export function gainedJ(shape: TickShape, share: number): number {
  const { stepShare = 1, beforeW, afterW, lengthS } = shape
  return lengthS * (Math.min(share, stepShare) * beforeW + Math.max(0, share - stepShare) * afterW)
}

/** Uncertainty of the energy between two places of one tick, from its shape alone; 0 for the whole tick. */
export function shapeDoubtJ(shape: TickShape, fromShare: number, untilShare: number): number {
  const { stepShare, lengthS, powerW } = shape
  const share = untilShare - fromShare
  if (stepShare === undefined) {
    return LINE_DOUBT * Math.min(share, 1 - share) * lengthS * shape.beforeDoubtW
  }
  const lineJ = share * lengthS * powerW
  const stepJ = gainedJ(shape, untilShare) - gainedJ(shape, fromShare)
  return Math.hypot(STEP_DOUBT * (stepJ - lineJ), levelDoubtJ(shape, fromShare, untilShare))
}

/** What the doubt of the two levels amounts to: each counts for the time that it was used for, from its own side. */
function levelDoubtJ(shape: TickShape, fromShare: number, untilShare: number): number {
  const { stepShare = 1, beforeDoubtW, afterDoubtW, lengthS } = shape
  const beforeShare = Math.max(0, Math.min(untilShare, stepShare) - fromShare)
  const afterShare = Math.max(0, untilShare - Math.max(fromShare, stepShare))
  // What is left of the tick is known as well as what was taken, since the sum of both is.
  const share = beforeShare + afterShare
  const takenJ = lengthS * Math.hypot(beforeShare * beforeDoubtW, afterShare * afterDoubtW)
  const leftJ = lengthS * (1 - share) * Math.max(beforeDoubtW, afterDoubtW)
  return Math.min(takenJ, leftJ)
}

/** What the energy at a place in the tick loses when the date of its begin, or of its end, comes later; watts. */
export function dateWeightsW(shape: TickShape, share: number): readonly [number, number] {
  const { stepShare, powerW, beforeW, afterW } = shape
  if (stepShare === undefined) return [(1 - share) * powerW, share * powerW]
  return share < stepShare ? [beforeW, 0] : [0, afterW]
}

/** Mean power of one interval; `undefined` where there is none, or where a break lies in it. */
function powerOf(log: CounterLog, index: number): number | undefined {
  if (index < 0 || index + 1 >= log.timesS.length) return undefined
  const fromS = numberAt(log.timesS, index)
  const untilS = numberAt(log.timesS, index + 1)
  if (breakWithin(log.breaks, fromS, untilS) !== undefined) return undefined
  return (numberAt(log.energiesJ, index + 1) - numberAt(log.energiesJ, index)) / (untilS - fromS)
}

function spreadAround(log: CounterLog, index: number): number {
  const length = 2 * TICKS_AROUND + 1
  return spreadOf(Array.from({ length }, (_, at) => powerOf(log, index - TICKS_AROUND + at)))
}

function spreadOf(powersW: readonly (number | undefined)[]): number {
  const known = powersW.filter((powerW) => powerW !== undefined)
  return known.length === 0 ? 0 : Math.max(...known) - Math.min(...known)
}

function isBetween(value: number, a: number, b: number): boolean {
  return (value - a) * (b - value) > 0
}

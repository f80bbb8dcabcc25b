import { type DomainEnergy, type Unavailable, unavailable } from '@energy-bench/spec'
import { breakWithin } from './breaks.js'
import { median } from './median.js'
import type { PowerLog } from './power-timeline.js'
import { lastAtOrBelow, numberAt } from './series.js'

/** Samples farther apart than this many usual spacings leave a gap. */
const GAP_FACTOR = 3
const SAMPLES_FOR_MEDIAN = 201
/** With less of the window seen than this, the integral is a guess and not a reading. */
const MIN_COVERAGE_RATIO = 0.5

/** Energy of a window by integration, or why it cannot be told. */
export function powerEnergy(log: PowerLog, startS: number, endS: number): DomainEnergy {
  const why = reasonAgainst(log, startS, endS)
  if (why !== undefined) return why
  const first = lastAtOrBelow(log.timesS, startS)
  const last = lastAtOrBelow(log.timesS, endS)
  const tickS = recentSpacingS(log, last + 2) ?? endS - startS
  const shape = shapeOf(log, { startS, endS, limitS: GAP_FACTOR * tickS })
  const coverageRatio = Math.max(0, 1 - shape.gapS / (endS - startS))
  if (coverageRatio < MIN_COVERAGE_RATIO) {
    return unavailable(
      'no-data',
      `only ${Math.round(100 * coverageRatio)} % of the window was observed`,
    )
  }
  const lagJ = Math.hypot(averagingJ(log, startS), averagingJ(log, endS))
  return {
    status: 'measured',
    energyJ: integralAt(log, endS) - integralAt(log, startS),
    uncertaintyJ: Math.hypot(Math.sqrt(shape.varianceJ2), lagJ),
    method: log.options.method,
    detail: detailOf(log),
    tickS,
    changes: last - first,
    coverageRatio,
  }
}

/** Median time between the samples before entry `until`, seconds. */
export function recentSpacingS(log: PowerLog, until: number): number | undefined {
  const times = log.timesS.slice(Math.max(0, until - SAMPLES_FOR_MEDIAN), until)
  return median(times.slice(1).map((timeS, index) => timeS - numberAt(times, index)))
}

function detailOf(log: PowerLog): string {
  const kind = log.options.detail ?? 'power samples, trapezoids'
  return log.rejected === 0 ? kind : `${kind}, ${log.rejected} implausible values left out`
}

function reasonAgainst(log: PowerLog, startS: number, endS: number): Unavailable | undefined {
  if (!(endS > startS) || !Number.isFinite(endS - startS)) {
    return unavailable('window-invalid', `the window goes from ${startS} s to ${endS} s`)
  }
  const broken = breakWithin(log.breaks, startS, endS)
  if (broken !== undefined) return broken.why
  const firstS = log.timesS[0]
  const lastS = log.timesS.at(-1)
  if (firstS === undefined || lastS === undefined) {
    return (
      log.failure ?? unavailable('no-data', 'no power sample has come since the meter was opened')
    )
  }
  if (startS < firstS)
    return unavailable('no-data', 'the window starts before the first power sample')
  if (endS <= lastS) return undefined
  return log.failure ?? unavailable('no-data', 'the window ends after the last power sample')
}

/** The integral at one instant, the power running straight between two samples. */
function integralAt(log: PowerLog, timeS: number): number {
  const index = Math.min(log.timesS.length - 2, lastAtOrBelow(log.timesS, timeS))
  const sinceS = timeS - numberAt(log.timesS, index)
  const powerW = (numberAt(log.powersW, index) + powerAt(log, timeS)) / 2
  return numberAt(log.energiesJ, index) + powerW * sinceS
}

function powerAt(log: PowerLog, timeS: number): number {
  const lastS = log.timesS.at(-1) ?? timeS
  const index = Math.max(0, Math.min(log.timesS.length - 2, lastAtOrBelow(log.timesS, timeS)))
  const fromS = numberAt(log.timesS, index)
  const share = (Math.min(timeS, lastS) - fromS) / (numberAt(log.timesS, index + 1) - fromS)
  const fromW = numberAt(log.powersW, index)
  return fromW + Math.max(0, share) * (numberAt(log.powersW, index + 1) - fromW)
}

/** A device that averages shows a step of power late and slanted; at an edge this moves energy in or out. */
function averagingJ(log: PowerLog, timeS: number): number {
  const averagingS = log.options.averagingS ?? 0
  if (averagingS === 0) return 0
  const stepW = powerAt(log, timeS + averagingS) - powerAt(log, timeS - averagingS)
  return (Math.abs(stepW) * averagingS) / Math.sqrt(12)
}

interface ShapeSearch {
  readonly startS: number
  readonly endS: number
  readonly limitS: number
}

/** Gaps in the window, and the variance from what the power may have done between two samples. */
function shapeOf(log: PowerLog, search: ShapeSearch): { gapS: number; varianceJ2: number } {
  let gapS = 0
  let varianceJ2 = 0
  const first = lastAtOrBelow(log.timesS, search.startS)
  for (let index = first; index < log.timesS.length - 1; index += 1) {
    const fromS = Math.max(search.startS, numberAt(log.timesS, index))
    const untilS = Math.min(search.endS, numberAt(log.timesS, index + 1))
    if (fromS >= search.endS) break
    const spacingS = numberAt(log.timesS, index + 1) - numberAt(log.timesS, index)
    const isGap = spacingS > search.limitS
    if (isGap) gapS += untilS - fromS
    varianceJ2 += (spreadW(log, index, isGap) * (untilS - fromS)) ** 2 / 12
  }
  return { gapS, varianceJ2 }
}

function spreadW(log: PowerLog, index: number, isGap: boolean): number {
  const fromW = numberAt(log.powersW, index)
  const untilW = numberAt(log.powersW, index + 1)
  return isGap ? Math.max(fromW, untilW) : Math.abs(untilW - fromW)
}

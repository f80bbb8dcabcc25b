import { type DomainEnergy, type Unavailable, unavailable } from '@energy-bench/spec'
import { breakWithin } from './breaks.js'
import type { CounterLog } from './counter-timeline.js'
import { lastAtOrBelow, numberAt } from './series.js'
import { recentTickS } from './tick-history.js'
import {
  dateWeightsW,
  GAP_FACTOR,
  gainedJ,
  shapeDoubtJ,
  type TickShape,
  tickShape,
} from './tick-shape.js'

/** The counter at one instant, from the layout of the tick around it. */
interface Edge {
  readonly shape: TickShape
  /** Place in the tick, 0 to 1. */
  readonly share: number
  readonly energyJ: number
}

/** Energy of a window: E(end) - E(start), or why it cannot be told. */
export function counterEnergy(log: CounterLog, startS: number, endS: number): DomainEnergy {
  const why = reasonAgainst(log, startS, endS)
  if (why !== undefined) return why
  const tickS = recentTickS(log, lastAtOrBelow(log.timesS, endS) + 2) ?? endS - startS
  const start = edgeAt(log, startS, tickS)
  const end = edgeAt(log, endS, tickS)
  const gapS = gapWithin(log, { startS, endS, limitS: GAP_FACTOR * tickS })
  const resolutionJ = log.options.resolutionJ ?? 0.001
  return {
    status: 'measured',
    energyJ: end.energyJ - start.energyJ,
    uncertaintyJ: Math.hypot(
      datingDoubtJ(log, start, end),
      edgesDoubtJ(start, end),
      resolutionJ / Math.sqrt(6),
    ),
    method: log.options.method,
    detail: detailOf(log),
    tickS,
    changes: lastAtOrBelow(log.timesS, endS) - lastAtOrBelow(log.timesS, startS),
    coverageRatio: Math.max(0, 1 - gapS / (endS - startS)),
  }
}

function detailOf(log: CounterLog): string {
  const kind =
    log.options.type === 'tick' ? 'counter, edges interpolated' : 'counter, read steadily'
  return log.rejected === 0 ? kind : `${kind}, ${log.rejected} implausible values left out`
}

function reasonAgainst(log: CounterLog, startS: number, endS: number): Unavailable | undefined {
  if (!(endS > startS) || !Number.isFinite(endS - startS)) {
    return unavailable('window-invalid', `the window goes from ${startS} s to ${endS} s`)
  }
  const broken = breakWithin(log.breaks, startS, endS)
  if (broken !== undefined) return broken.why
  const firstS = log.timesS[0]
  if (firstS === undefined) return reasonOfSilence(log)
  if (startS < firstS) {
    const earlyS = (firstS - startS).toFixed(3)
    return unavailable(
      'no-data',
      `the window starts ${earlyS} s before the first change of the counter${log.dropped > 0 ? ' that is kept' : ''}`,
    )
  }
  const lateS = endS - (log.timesS.at(-1) ?? firstS)
  if (lateS <= 0) return undefined
  return (
    log.failure ??
    log.doubtful?.why ??
    unavailable(
      'no-data',
      `the counter has not changed in the last ${lateS.toFixed(3)} s of the window`,
    )
  )
}

function reasonOfSilence(log: CounterLog): Unavailable {
  const silence = unavailable('no-data', 'the counter has not changed since the meter was opened')
  return log.failure ?? log.doubtful?.why ?? silence
}

function edgeAt(log: CounterLog, timeS: number, tickS: number): Edge {
  const index = Math.min(log.timesS.length - 2, lastAtOrBelow(log.timesS, timeS))
  const shape = tickShape(log, index, tickS)
  const share = (timeS - shape.fromS) / shape.lengthS
  return { shape, share, energyJ: shape.energyJ + gainedJ(shape, share) }
}

/** What the shape of the power inside the two ticks leaves open; the same tick is one thing, not two. */
function edgesDoubtJ(start: Edge, end: Edge): number {
  if (start.shape.index === end.shape.index) return shapeDoubtJ(start.shape, start.share, end.share)
  return Math.hypot(shapeDoubtJ(start.shape, 0, start.share), shapeDoubtJ(end.shape, 0, end.share))
}

/**
 * What the dates of the changes around the two edges leave open, each uniform over its interval (JCGM 100:2008, 4.3.7).
 * An edge moves with the dates of its own tick; a date that both edges share moves both, so that its errors are
 * subtracted and not added.
 */
function datingDoubtJ(log: CounterLog, start: Edge, end: Edge): number {
  const weightsW = new Map<number, number>()
  const add = (index: number, weightW: number): void => {
    weightsW.set(index, (weightsW.get(index) ?? 0) + weightW)
  }
  for (const [sign, { shape, share }] of [
    [-1, start],
    [1, end],
  ] as const) {
    const [firstW, secondW] = dateWeightsW(shape, share)
    add(shape.index, sign * firstW)
    add(shape.index + 1, sign * secondW)
  }
  const partsJ = [...weightsW].map(([index, weightW]) => weightW * numberAt(log.halfWidthsS, index))
  return Math.hypot(...partsJ) / Math.sqrt(3)
}

interface GapSearch {
  readonly startS: number
  readonly endS: number
  readonly limitS: number
}

function gapWithin(log: CounterLog, { startS, endS, limitS }: GapSearch): number {
  let gapS = 0
  for (let index = lastAtOrBelow(log.timesS, startS); index < log.timesS.length - 1; index += 1) {
    const fromS = numberAt(log.timesS, index)
    const untilS = numberAt(log.timesS, index + 1)
    if (fromS >= endS) break
    if (untilS - fromS > limitS) gapS += Math.min(untilS, endS) - Math.max(fromS, startS)
  }
  return gapS
}

import { type DomainEnergy, type Unavailable, unavailable } from '@energy-bench/spec'
import { breakWithin } from './breaks.js'
import type { CounterLog } from './counter-timeline.js'
import { lastAtOrBelow, numberAt } from './series.js'
import { recentTickS } from './tick-history.js'

/** An interval between changes that is this many median ticks long hides a change that nobody saw. */
const GAP_FACTOR = 1.6

/** The counter at one instant, by straight line between the two changes around it. */
interface Edge {
  readonly index: number
  readonly energyJ: number
  readonly uncertaintyJ: number
}

/** Energy of a window: E(end) - E(start), or why it cannot be told. */
export function counterEnergy(log: CounterLog, startS: number, endS: number): DomainEnergy {
  const why = reasonAgainst(log, startS, endS)
  if (why !== undefined) return why
  const tickS = recentTickS(log, lastAtOrBelow(log.timesS, endS) + 2) ?? endS - startS
  const start = edgeAt(log, startS, tickS)
  const end = edgeAt(log, endS, tickS)
  const gapS = gapWithin(log, { startS, endS, limitS: GAP_FACTOR * tickS })
  const edgesJ =
    start.index === end.index
      ? insideTickJ(log, start.index, endS - startS)
      : Math.hypot(start.uncertaintyJ, end.uncertaintyJ)
  const resolutionJ = log.options.resolutionJ ?? 0.001
  return {
    status: 'measured',
    energyJ: end.energyJ - start.energyJ,
    uncertaintyJ: Math.hypot(edgesJ, resolutionJ / Math.sqrt(6)),
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
      `the window starts ${earlyS} s before the first change of the counter`,
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

/**
 * Uncertainty of one edge: the dates of the two changes around it, each uniform over its interval, and the shape
 * of the power inside the tick. If the power steps inside, from the level before to the level after, the straight
 * line is off by at most f (1 - f) x tick x step, f being the place of the edge in the tick.
 */
function edgeAt(log: CounterLog, timeS: number, tickS: number): Edge {
  const last = log.timesS.length - 2
  const index = Math.min(last, lastAtOrBelow(log.timesS, timeS))
  const fromS = numberAt(log.timesS, index)
  const lengthS = numberAt(log.timesS, index + 1) - fromS
  const share = (timeS - fromS) / lengthS
  const stepJ = numberAt(log.energiesJ, index + 1) - numberAt(log.energiesJ, index)
  const datingS = Math.hypot(
    (1 - share) * numberAt(log.halfWidthsS, index),
    share * numberAt(log.halfWidthsS, index + 1),
  )
  const powerW = stepJ / lengthS
  const spreadW =
    lengthS > GAP_FACTOR * tickS ? Math.max(powerW, spreadAt(log, index)) : spreadAt(log, index)
  const shapeJ = share * (1 - share) * lengthS * spreadW
  return {
    index,
    energyJ: numberAt(log.energiesJ, index) + share * stepJ,
    uncertaintyJ: Math.hypot(powerW * datingS, shapeJ) / Math.sqrt(3),
  }
}

/** Both edges in one tick: the same two dates, so that their errors do not add up. */
function insideTickJ(log: CounterLog, index: number, durationS: number): number {
  const lengthS = numberAt(log.timesS, index + 1) - numberAt(log.timesS, index)
  const share = durationS / lengthS
  const datingS = Math.hypot(numberAt(log.halfWidthsS, index), numberAt(log.halfWidthsS, index + 1))
  const shapeJ = share * (1 - share) * lengthS * spreadAt(log, index)
  return Math.hypot(share * powerOf(log, index) * datingS, shapeJ) / Math.sqrt(3)
}

/** How far the power of this tick and its two neighbours lies apart, watts. */
function spreadAt(log: CounterLog, index: number): number {
  const powersW = [index - 1, index, index + 1]
    .map((neighbour) => powerOf(log, neighbour))
    .filter((powerW) => Number.isFinite(powerW) && powerW >= 0)
  return Math.max(...powersW) - Math.min(...powersW)
}

function powerOf(log: CounterLog, index: number): number {
  const gainedJ = numberAt(log.energiesJ, index + 1) - numberAt(log.energiesJ, index)
  return gainedJ / (numberAt(log.timesS, index + 1) - numberAt(log.timesS, index))
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

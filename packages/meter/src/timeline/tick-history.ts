import type { CounterLog } from './counter-timeline.js'
import type { TickHistory } from './dating.js'
import { median } from './median.js'
import { numberAt } from './series.js'

const TICKS_FOR_MEDIAN = 51
const CHANGES_FOR_PHASE = 9
const CHANGES_TO_KNOW_TICK = 5
/** Dates worse than this share of a tick come from polls that are too rare to tell the tick of the counter from their own. */
const MAX_HALF_WIDTH_TICKS = 0.3
/** Changes that lie farther from even ticks than this share of one do not follow the tick that was learned. */
const MAX_STRAY_TICKS = 0.03

/** Median time between the changes before entry `until`, seconds. */
export function recentTickS(log: CounterLog, until: number): number | undefined {
  const times = log.timesS.slice(Math.max(0, until - TICKS_FOR_MEDIAN), until)
  return median(times.slice(1).map((timeS, index) => timeS - numberAt(times, index)))
}

/** Length and place of the ticks so far; medians, so that a few bad dates do no harm. */
export function tickHistory(log: CounterLog): TickHistory | undefined {
  const count = log.timesS.length
  const tickS = recentTickS(log, count)
  if (count < CHANGES_TO_KNOW_TICK || tickS === undefined) return undefined
  const halfWidthS = median(log.halfWidthsS.slice(-CHANGES_FOR_PHASE)) ?? tickS
  if (halfWidthS > MAX_HALF_WIDTH_TICKS * tickS) return undefined
  const lastS = numberAt(log.timesS, count - 1)
  const offsetsS = log.timesS.slice(-CHANGES_FOR_PHASE).map((timeS) => {
    const sinceS = timeS - lastS
    return sinceS - Math.round(sinceS / tickS) * tickS
  })
  const offsetS = median(offsetsS) ?? 0
  const strayS = median(offsetsS.map((one) => Math.abs(one - offsetS))) ?? 0
  if (strayS > halfWidthS + MAX_STRAY_TICKS * tickS) return undefined
  return { last: { timeS: lastS + offsetS, halfWidthS }, tickS, usualReadS: log.usualReadS }
}

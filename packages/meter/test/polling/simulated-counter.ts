import { createTickPacer } from '../../src/polling/tick-pacer.js'
import { createTimeline } from '../../src/timeline/timeline.js'
import { createRandom } from '../timeline/simulated-load.js'

/** A counter and the machine that polls it. All times in seconds. */
export interface CounterScene {
  /** When the tick with this number happens; ascends. */
  readonly tickAt: (tick: number) => number
  /** Results count from here on, so that the tick is learned by then. */
  readonly fromS?: number
  readonly untilS: number
  /** Length of a read; it may depend on a number from 0 to 1. Default 3 ms. */
  readonly readS?: (random: number) => number
}

export interface Followed {
  readonly reads: number
  readonly ticks: number
  /** Distance of each date in the timeline from the truth, seconds, by the first tick that the change holds. */
  readonly errorsS: readonly number[]
  readonly halfWidthsS: readonly number[]
}

/** Runs the pacer and the timeline against the counter; no real time passes. */
export function followCounter({
  tickAt,
  fromS = 2,
  untilS,
  readS = () => 0.003,
}: CounterScene): Followed {
  const random = createRandom(11)
  const pacer = createTickPacer()
  const timeline = createTimeline({ method: 'counter', type: 'tick' })
  let tick = 0
  let reads = 0
  for (let startS = 0.001; startS < untilS; ) {
    const endS = startS + readS(random())
    const seenS = startS + (endS - startS) * random()
    const before = tick
    while (tickAt(tick + 1) <= seenS) tick += 1
    timeline.add({ type: 'energy', energyJ: 40 * tick }, startS, endS)
    if (startS > fromS) reads += 1
    // Timers are up to 1.1 ms late.
    startS = endS + pacer.next({ changed: tick !== before, startS, endS }) + 0.0011 * random()
  }
  const changes = timeline.points({ startS: fromS }).filter((point) => 'energyJ' in point)
  return {
    reads,
    ticks: changes.length,
    errorsS: changes.map(({ timeS, energyJ }) =>
      Math.abs(timeS - tickAt(Math.round(energyJ / 40))),
    ),
    halfWidthsS: changes.map(({ halfWidthS }) => halfWidthS ?? Number.NaN),
  }
}

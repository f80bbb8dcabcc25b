import { createTimeline, type Timeline, type TimelineOptions } from '../../src/timeline/timeline.js'

/** How a test counter is polled, seconds. */
export interface FeedOptions extends Partial<TimelineOptions> {
  readonly durationS?: number
  readonly tickS?: number
  readonly pollS?: number
  readonly readS?: number
  /** Power at a time, watts. */
  readonly powerW?: (timeS: number) => number
  /** Polls that are left out. */
  readonly isLost?: (timeS: number) => boolean
}

/** A timeline fed from a counter that ticks exactly on the multiples of `tickS`. */
export function feedTicks(options: FeedOptions = {}): Timeline {
  const { durationS = 5, tickS = 0.1, pollS = 0.005, readS = 0.002, powerW = () => 400 } = options
  const timeline = createTimeline({ method: 'counter', type: 'tick', ...options })
  let energyJ = 1000
  let ticks = 0
  for (let startS = 0.001; startS < durationS; startS += pollS) {
    const endS = startS + readS
    while ((ticks + 1) * tickS <= startS + readS / 2) {
      energyJ += powerW((ticks + 0.5) * tickS) * tickS
      ticks += 1
    }
    if (options.isLost?.(startS) !== true) timeline.add({ type: 'energy', energyJ }, startS, endS)
  }
  return timeline
}

import { median } from '../timeline/median.js'

/** The two clocks that are compared; tests replace them. */
export interface Clocks {
  /** Monotonic seconds. */
  readonly now: () => number
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
}

/** Turns times of the wall clock, which may be set at any moment, into monotonic ones. */
export interface WallClock {
  /** Compares the clocks once more; true when the wall clock has been set (or the machine slept) since the last time. */
  observe(): boolean
  /** `undefined` for a time that cannot be placed: in the future, or from before the last but one step. */
  toMonotonicS(wallUs: number): number | undefined
}

/** The wall clock shows whole milliseconds, so that one pair is off by up to half of one; the median of many is not. */
const PAIRS_KEPT = 31
/** Slewing moves the clock by 0.5 ms a second at most; more than this is a step. */
const STEP_S = 0.01
/** A pair that took longer was interrupted and says little. */
const MAX_PAIR_S = 0.001
const ATTEMPTS = 3
const FUTURE_SLACK_S = 0.05

/** One stretch between two steps. The step itself lies between the last pair before it and the first after it. */
interface Stretch {
  readonly offsetsS: number[]
  readonly fromS: number
  untilS: number
}

/** Begins to compare the clocks. */
export function createWallClock(clocks: Clocks): WallClock {
  let before: Stretch | undefined
  let current: Stretch = { offsetsS: [], fromS: Number.NEGATIVE_INFINITY, untilS: 0 }
  return {
    observe() {
      const pair = readPair(clocks)
      const usualS = median(current.offsetsS) ?? pair.offsetS
      const stepped = Math.abs(pair.offsetS - usualS) > STEP_S
      if (stepped) {
        before = { ...current, untilS: pair.timeS }
        current = { offsetsS: [], fromS: current.untilS, untilS: pair.timeS }
      }
      current.offsetsS.push(pair.offsetS)
      if (current.offsetsS.length > PAIRS_KEPT) current.offsetsS.shift()
      current.untilS = pair.timeS
      return stepped
    },
    toMonotonicS: (wallUs) => place(current, wallUs) ?? place(before, wallUs),
  }
}

/** Where a time lies in a stretch, if it can lie there. */
function place(stretch: Stretch | undefined, wallUs: number): number | undefined {
  const offsetS = stretch === undefined ? undefined : median(stretch.offsetsS)
  if (stretch === undefined || offsetS === undefined) return undefined
  const timeS = wallUs / 1e6 - offsetS
  return timeS > stretch.fromS - STEP_S && timeS < stretch.untilS + FUTURE_SLACK_S
    ? timeS
    : undefined
}

interface Pair {
  readonly timeS: number
  readonly offsetS: number
  readonly tookS: number
}

/** The tightest of a few; the first is good enough almost always. */
function readPair(clocks: Clocks): Pair {
  let best = readOnce(clocks)
  for (let attempt = 1; attempt < ATTEMPTS && best.tookS > MAX_PAIR_S; attempt += 1) {
    const pair = readOnce(clocks)
    if (pair.tookS < best.tookS) best = pair
  }
  return best
}

function readOnce({ now, wallMs }: Clocks): Pair {
  const startS = now()
  // The middle of the millisecond that the clock shows.
  const wallS = (wallMs() + 0.5) / 1000
  const endS = now()
  const timeS = (startS + endS) / 2
  return { timeS, offsetS: wallS - timeS, tookS: endS - startS }
}

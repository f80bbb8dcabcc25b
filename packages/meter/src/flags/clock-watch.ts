import { uptime } from 'node:os'
import { monotonicS } from '../clock.js'

/** One look at the clocks of a machine, seconds. */
export interface ClockSample {
  readonly wallS: number
  /** Stands still while the machine sleeps (Linux CLOCK_MONOTONIC, macOS mach_absolute_time). */
  readonly monotonicS: number
  /** Time since the machine was started; goes on in sleep (Linux CLOCK_BOOTTIME). */
  readonly uptimeS?: number
}

/** What the clocks did over a window. */
export interface ClockGap {
  /** Time that the machine slept, seconds. */
  readonly suspendedS: number
  /** How far the wall clock was set, forward or back, seconds. */
  readonly steppedS: number
}

/** Looks at the clocks and compares. */
export interface ClockWatch {
  /** Takes a look; call it now and then, at least at the begin and the end of a window. */
  sample(): void
  /** What happened between the looks around the window, monotonic seconds. */
  between(startS: number, endS: number): ClockGap
}

/** The oldest half goes when it is full. */
const MAX_SAMPLES = 100_000

/** Makes a watch. `read` gives the clocks; by default those of this machine. */
export function createClockWatch(read: () => ClockSample = readClocks): ClockWatch {
  let samples: ClockSample[] = []
  return {
    sample() {
      samples.push(read())
      if (samples.length > MAX_SAMPLES) samples = samples.slice(MAX_SAMPLES / 2)
    },
    between(startS, endS) {
      const first = samples.findLast((sample) => sample.monotonicS <= startS) ?? samples[0]
      const last = samples.find((sample) => sample.monotonicS >= endS) ?? samples.at(-1)
      return first === undefined || last === undefined
        ? { suspendedS: 0, steppedS: 0 }
        : compareClocks(first, last)
    },
  }
}

/** What happened between two looks. Without the uptime, a wall clock that went ahead is taken for sleep. */
export function compareClocks(first: ClockSample, last: ClockSample): ClockGap {
  const monotonic = last.monotonicS - first.monotonicS
  const wall = last.wallS - first.wallS
  if (first.uptimeS === undefined || last.uptimeS === undefined) {
    const aheadS = wall - monotonic
    return { suspendedS: Math.max(0, aheadS), steppedS: Math.min(0, aheadS) }
  }
  const up = last.uptimeS - first.uptimeS
  return { suspendedS: Math.max(0, up - monotonic), steppedS: wall - up }
}

function readClocks(): ClockSample {
  return { wallS: Date.now() / 1000, monotonicS: monotonicS(), uptimeS: uptime() }
}

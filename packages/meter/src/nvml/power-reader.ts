import {
  type DomainSample,
  isUnavailable,
  type PowerSample,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import type { NvmlDevice } from './device-binding.js'
import { type PowerKind, usageKind } from './power-kind.js'
import { type Clocks, createWallClock, type WallClock } from './wall-clock.js'

/** Reads the power of a GPU in the best way that it has. */
export interface PowerReader {
  readonly kind: PowerKind
  /** What is new since the last read. */
  read(): DomainSample
  /** Compares the clocks, where that matters; true when the wall clock has been set. */
  observe(): boolean
}

/** Options of `openPowerReader`. */
export interface PowerReaderOptions extends Clocks {
  /** More than this is not believed, watts. */
  readonly maxPowerW: number
}

const POWER_INSTANT = 186
const MODULE_SCOPE = 1
/** A buffer whose newest sample is older than this does not follow the clock of this machine. */
const MAX_AGE_S = 5
const MIN_SAMPLES = 2
const ATTEMPTS = 4

/** Tries the ways of reading the power, the best first, and keeps the first that gives what can be. */
export function openPowerReader(device: NvmlDevice, options: PowerReaderOptions): PowerReader {
  const { now, maxPowerW } = options
  const usage = usageReader(device, now)
  const candidates: readonly PowerReader[] = [
    bufferReader(device, options),
    instantReader(device, now, 'instant'),
    usage,
    instantReader(device, now, 'module'),
  ]
  return candidates.find((reader) => isPlausible(reader.read(), maxPowerW)) ?? usage
}

/** Waits for the buffer of a driver that was only now loaded; `pause` lets a few samples come. */
export async function untilSampling(
  device: NvmlDevice,
  pause: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const buffered = device.powerSamples(0)
    if (isUnavailable(buffered) || buffered.length >= MIN_SAMPLES) return
    await pause()
  }
}

/** A way that gives only nonsense is passed over. */
function isPlausible(sample: DomainSample, maxPowerW: number): boolean {
  if (!('type' in sample) || sample.type !== 'power') return false
  return sample.samples.some(({ powerW }) => powerW > 0 && powerW <= maxPowerW)
}

function usageReader(device: NvmlDevice, now: () => number): PowerReader {
  return {
    kind: usageKind(device),
    read: () => powerNow(device.powerW(), now),
    observe: () => false,
  }
}

function instantReader(
  device: NvmlDevice,
  now: () => number,
  kind: 'instant' | 'module',
): PowerReader {
  const wish = { id: POWER_INSTANT, scope: kind === 'module' ? MODULE_SCOPE : 0 }
  return {
    kind,
    read() {
      const field = device.fields([wish])[0] ?? unavailable('failed', 'no field was given')
      return powerNow(isUnavailable(field) ? field : field.value / 1000, now)
    },
    observe: () => false,
  }
}

function powerNow(powerW: number | Unavailable, now: () => number): DomainSample {
  return isUnavailable(powerW) ? powerW : { type: 'power', samples: [{ timeS: now(), powerW }] }
}

function bufferReader(device: NvmlDevice, clocks: Clocks): PowerReader {
  const clock = createWallClock(clocks)
  let sinceUs = 0
  let lastS = Number.NEGATIVE_INFINITY
  const observe = (): boolean => {
    const stepped = clock.observe()
    // Times from before the step may lie ahead of it, and would hide all that comes.
    if (stepped) sinceUs = 0
    return stepped
  }
  return {
    kind: 'samples',
    observe,
    read() {
      observe()
      const buffered = device.powerSamples(sinceUs)
      if (isUnavailable(buffered)) return buffered
      const newest = buffered.at(-1)
      const samples = newerThan(lastS, placed(buffered, clock))
      const why = lastS < 0 ? whyUnusable(samples, clocks.now()) : undefined
      if (why !== undefined) return why
      lastS = samples.at(-1)?.timeS ?? lastS
      sinceUs = newest?.wallUs ?? sinceUs
      return { type: 'power', samples }
    },
  }
}

function placed(
  buffered: readonly { readonly wallUs: number; readonly powerW: number }[],
  clock: WallClock,
): readonly PowerSample[] {
  return buffered.flatMap(({ wallUs, powerW }) => {
    const timeS = clock.toMonotonicS(wallUs)
    return timeS === undefined ? [] : [{ timeS, powerW }]
  })
}

/** Drops what came before, and what does not ascend. */
function newerThan(lastS: number, samples: readonly PowerSample[]): readonly PowerSample[] {
  let latestS = lastS
  return samples.filter(({ timeS }) => {
    if (timeS <= latestS) return false
    latestS = timeS
    return true
  })
}

function whyUnusable(samples: readonly PowerSample[], nowS: number): Unavailable | undefined {
  const newestS = samples.at(-1)?.timeS
  if (samples.length >= MIN_SAMPLES && newestS !== undefined && nowS - newestS < MAX_AGE_S) return
  return unavailable(
    'implausible',
    `the power samples of the driver do not follow the clock of this machine (${samples.length} fit)`,
  )
}

import {
  type DomainEnergy,
  EnergyBenchError,
  type EnergyMethod,
  type Meter,
  unavailable,
} from '@energy-bench/spec'
import { monotonicS } from './clock.js'

/** A clock that stands still until it is moved, seconds. */
export interface FakeClock {
  now(): number
  advance(durationS: number): void
}

/** Options of `createFakeMeter`. */
export interface FakeMeterOptions {
  /** Power while something runs, watts. Default 300. */
  readonly powerW?: number
  /** Power while nothing runs, watts. Default: as `powerW`, so that a test without idle need not tell when it works. */
  readonly idleW?: number
  /** Default `counter`. */
  readonly method?: EnergyMethod
  /** Stated time between two changes, seconds; the stated uncertainty follows from it. Default 0.1. */
  readonly tickS?: number
  /** Default: the real monotonic clock. */
  readonly clock?: Pick<FakeClock, 'now'>
}

/** A meter without hardware. `work` and `busy` say when something runs. */
export interface FakeMeter extends Meter {
  /** Runs the function at `powerW`; outside it the power is `idleW`. Calls may overlap; the power is the same then. */
  work<Result>(run: () => Promise<Result> | Result): Promise<Result>
  /** Busy from now until it is disposed: `using _ = meter.busy()` in a generator. */
  busy(): Disposable
}

/** Makes a clock that stands at `startS` seconds. */
export function createFakeClock(startS = 1000): FakeClock {
  let timeS = startS
  return {
    now: () => timeS,
    advance(durationS) {
      timeS += durationS
    },
  }
}

/**
 * Makes a meter that answers exactly, from when `work` ran; for tests and examples.
 *
 * @example
 * const clock = createFakeClock()
 * await using meter = createFakeMeter({ powerW: 300, idleW: 100, clock })
 * await meter.work(() => clock.advance(2))
 */
export function createFakeMeter(options: FakeMeterOptions = {}): FakeMeter {
  const { powerW = 300, method = 'counter', tickS = 0.1, clock = { now: monotonicS } } = options
  const { idleW = powerW } = options
  const busy = createBusyClock(clock.now)
  const id = `fake:${method}`
  let isDisposed = false
  const energyOf = (startS: number, endS: number): DomainEnergy => {
    if (!(endS > startS))
      return unavailable('window-invalid', `the window goes from ${startS} s to ${endS} s`)
    const busyS = busy.between(startS, endS)
    const energyJ = powerW * busyS + idleW * (endS - startS - busyS)
    const uncertaintyJ = (powerW * tickS) / 100
    const changes = tickS === 0 ? 0 : Math.floor((endS - startS) / tickS)
    return {
      status: 'measured',
      energyJ,
      uncertaintyJ,
      method,
      detail: 'fake',
      tickS,
      changes,
      coverageRatio: 1,
    }
  }
  return {
    specVersion: 1,
    domains: [{ id, kind: 'gpu', method, label: 'Fake', deviceId: 'fake' }],
    devices: [fakeDevice()],
    selection: ['The fake meter is used: a test asked for it.'],
    now: clock.now,
    async energyBetween(startS, endS) {
      if (isDisposed) throw new EnergyBenchError('usage-invalid', 'the meter is closed')
      return { startS, endS, durationS: endS - startS, domains: { [id]: energyOf(startS, endS) } }
    },
    statesBetween: () => [],
    pointsBetween: (startS, endS) => {
      const edgesS = [...new Set([...busy.edgesS(), clock.now()])]
      const timesS = edgesS.filter((timeS) => timeS >= startS && timeS <= endS)
      const originS = timesS[0] ?? startS
      const energyJ = (t: number): number => {
        const busyS = busy.between(originS, t)
        return powerW * busyS + idleW * (t - originS - busyS)
      }
      return { [id]: timesS.map((timeS) => ({ timeS, halfWidthS: 0, energyJ: energyJ(timeS) })) }
    },
    async work(run) {
      using _ = busy.enter()
      return await run()
    },
    busy: busy.enter,
    async [Symbol.asyncDispose]() {
      isDisposed = true
    },
  }
}

function fakeDevice(): Meter['devices'][number] {
  const missing = unavailable('not-supported', 'a fake device has none')
  return {
    id: 'fake',
    kind: 'gpu',
    name: 'Fake',
    driver: 'fake',
    memoryBytes: missing,
    powerLimitW: missing,
    powerLimitDefaultW: missing,
  }
}

/** Remembers when at least one piece of work ran. */
function createBusyClock(now: () => number) {
  const spans: { fromS: number; untilS: number }[] = []
  let running = 0
  const leave = (): void => {
    running -= 1
    const span = spans.at(-1)
    if (running === 0 && span !== undefined) span.untilS = now()
  }
  return {
    between: (startS: number, endS: number): number =>
      spans.reduce(
        (sum, span) =>
          sum + Math.max(0, Math.min(endS, span.untilS) - Math.max(startS, span.fromS)),
        0,
      ),
    /** Starts and ends of the work so far. */
    edgesS: (): readonly number[] =>
      spans.flatMap(({ fromS, untilS }) => (untilS < now() ? [fromS, untilS] : [fromS])),
    enter(): Disposable {
      if (running === 0) spans.push({ fromS: now(), untilS: Number.POSITIVE_INFINITY })
      running += 1
      return { [Symbol.dispose]: leave }
    },
  }
}

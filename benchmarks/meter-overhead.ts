import { loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { openMeter } from '@energy-bench/meter'
import { buildFakeNvml } from '../packages/meter/test/build-fake-nvml.js'
import type { BenchmarkResult } from './benchmark.js'

/** Length of each phase, seconds; the phases alternate so that a busy neighbour hits both alike. */
const PHASE_S = 1.2
const ROUNDS = 7
const MAX_DELAY_MS = 1
/** The target of the meter, on every machine. */
const MAX_CORE_PERCENT = 1

/** What one phase cost. */
export interface Phase {
  readonly corePercent: number
  readonly delayP50Ms: number
  readonly delayP99Ms: number
}

/** What the polling of one GPU (100 ms ticks, reads of 3 ms) costs the event loop and the processor. */
export async function run(): Promise<BenchmarkResult> {
  const without: Phase[] = []
  const watched: Phase[] = []
  // The first pair only warms the machine up.
  await phase()
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await phase())
    watched.push(await phaseWithMeter())
  }
  const corePercent = addedBy(watched, without, 'corePercent')
  const addedP99Ms = addedBy(watched, without, 'delayP99Ms')
  return {
    name: 'meter-overhead',
    figures: {
      'event loop delay p50 without, ms': medianOf(without, 'delayP50Ms'),
      'event loop delay p50 with, ms': medianOf(watched, 'delayP50Ms'),
      'event loop delay p99 without, ms': medianOf(without, 'delayP99Ms'),
      'event loop delay p99 with, ms': medianOf(watched, 'delayP99Ms'),
      'event loop delay p99 added, ms': addedP99Ms,
      'process without, % of a core': medianOf(without, 'corePercent'),
      'process with, % of a core': medianOf(watched, 'corePercent'),
      'poller, % of a core': corePercent,
      'load average of the machine': loadavg()[0] ?? Number.NaN,
    },
    targets: {
      'event loop delay p99 added, ms': `<= ${MAX_DELAY_MS}`,
      'poller, % of a core': `<= ${MAX_CORE_PERCENT}`,
    },
    met: addedP99Ms <= MAX_DELAY_MS && corePercent <= MAX_CORE_PERCENT,
    notes: [
      `${ROUNDS} phases of ${PHASE_S} s for each figure (medians), with and without the meter in turn, after a warm-up; fake NVML.`,
      'A bare loop of as many timers and sleeps costs 0.8 % of a core on two virtual cores; the driver of a real GPU adds its own time to each read.',
      'Poller and added delay: median over the rounds of with less without in the same round.',
    ],
  }
}

async function phaseWithMeter(): Promise<Phase> {
  const nvmlLibraryPath = buildFakeNvml({ READ_MS: 3 })
  await using _ = await openMeter({ meter: 'nvml', nvmlLibraryPath, environment: {} })
  // The tick is learned by then.
  await delay(1000)
  return await phase()
}

/** First the processor with an idle main thread, then the loop: its probe costs more than the meter. */
export async function phase(): Promise<Phase> {
  const before = process.cpuUsage()
  const startMs = performance.now()
  await delay(1000 * PHASE_S)
  const { user, system } = process.cpuUsage(before)
  const corePercent = (user + system) / 10 / (performance.now() - startMs)
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await delay(1000 * PHASE_S)
  histogram.disable()
  return {
    corePercent,
    delayP50Ms: histogram.percentile(50) / 1e6,
    delayP99Ms: histogram.percentile(99) / 1e6,
  }
}

/** What the meter added: the median over the rounds, each against its own phase without it. */
function addedBy(watched: readonly Phase[], without: readonly Phase[], key: keyof Phase): number {
  const added = watched.map((entry, round) => entry[key] - (without[round]?.[key] ?? Number.NaN))
  return added.sort((a, b) => a - b)[added.length >> 1] ?? Number.NaN
}

/** The median: other work on the machine spoils single phases. */
export function medianOf(phases: readonly Phase[], key: keyof Phase): number {
  const values = phases.map((entry) => entry[key]).sort((a, b) => a - b)
  return values[values.length >> 1] ?? Number.NaN
}

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { openMeter } from '@energy-bench/meter'
import { buildFakeNvml } from '../packages/meter/test/build-fake-nvml.js'
import type { BenchmarkResult } from './meter-replay.js'

/** Length of each phase, seconds; the phases alternate so that a busy neighbour hits both alike. */
const PHASE_S = 1.2
const ROUNDS = 5
const MAX_DELAY_MS = 2
const MAX_CORE_PERCENT = 2

interface Phase {
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
  const corePercent = medianOf(watched, 'corePercent') - medianOf(without, 'corePercent')
  const addedP99Ms = medianOf(watched, 'delayP99Ms') - medianOf(without, 'delayP99Ms')
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
    },
    targets: {
      'event loop delay p99 added, ms': `<= ${MAX_DELAY_MS}`,
      'poller, % of a core': `<= ${MAX_CORE_PERCENT}`,
    },
    met: addedP99Ms <= MAX_DELAY_MS && corePercent <= MAX_CORE_PERCENT,
    notes: [
      `${ROUNDS} phases of ${PHASE_S} s for each figure (medians), with and without the meter in turn, after a warm-up; fake NVML.`,
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
async function phase(): Promise<Phase> {
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

/** The median: other work on the machine spoils single phases. */
function medianOf(phases: readonly Phase[], key: keyof Phase): number {
  const values = phases.map((entry) => entry[key]).sort((a, b) => a - b)
  return values[values.length >> 1] ?? Number.NaN
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
}

import { setTimeout as delay } from 'node:timers/promises'
import {
  combineIdle,
  detectMeters,
  measureIdle,
  netEnergy,
  openMeter,
  totalByMethod,
} from '@energy-bench/meter'
import {
  type EnergyMethod,
  type EnergyReading,
  isUnavailable,
  type Meter,
} from '@energy-bench/spec'
import type { BenchmarkResult } from './benchmark.js'
import { type LoadRhythm, loadCommand, startLoad } from './gpu-load.js'
import { medianOf, type Phase, phase } from './meter-overhead.js'
import { openPlainPowerReader, probeBuffer } from './plain-power-reader.js'

const NULL_S = 10
const LOAD_S = 20
/** Longer than the window, so that the load neither starts nor ends inside it. */
const LOAD_MARGIN_S = 6
const PLAIN_INTERVAL_S = 0.2
const ROUNDS = 5
const steady = { onMs: 1000, offMs: 0, durationS: LOAD_S + LOAD_MARGIN_S }
const bursts = { onMs: 50, offMs: 150, durationS: LOAD_S + LOAD_MARGIN_S }

/** What must hold, by figure. */
const limits: Readonly<Record<string, number>> = {
  'null test, net in standard uncertainties': 2,
  'steady load, A against B, %': 1,
  'bursts, A against B, %': 2,
  'poller, % of a core': 1,
  'event loop delay p99 added, ms': 1,
}

type Figures = Readonly<Record<string, number>>

/**
 * The meter on a real NVIDIA GPU: net of a sleep, counter against integration, cost of the poller. The load is a
 * shell command in ENERGY_BENCH_GPU_LOAD, for example
 * `python3 benchmarks/gpu-load.py --on-ms {onMs} --off-ms {offMs} --duration-s {durationS}`.
 */
export async function run(): Promise<BenchmarkResult> {
  const detected = (await detectMeters()).find(({ id }) => id === 'nvml')
  if (detected?.status !== 'available') {
    return resultOf({}, [`It needs an NVIDIA GPU: ${detected?.detail ?? 'there is no NVML'}.`])
  }
  const cost = await pollerCost()
  await using meter = await openMeter({ meter: 'nvml' })
  await delay(2000)
  const buffer = probeBuffer(meter.devices[0]?.id ?? '')
  const nothing = { ...buffer, ...(await nullTest(meter)) }
  const template = process.env.ENERGY_BENCH_GPU_LOAD
  const notes = [detected.detail, ...meter.domains.map(({ note = '' }) => note)]
  if (template === undefined) {
    return resultOf({ ...cost, ...nothing }, [
      ...notes,
      'ENERGY_BENCH_GPU_LOAD is not set: no load was run.',
    ])
  }
  const loads = {
    ...(await underLoad(meter, { name: 'steady load', template, rhythm: steady })),
    ...(await underLoad(meter, { name: 'bursts', template, rhythm: bursts })),
  }
  return resultOf({ ...cost, ...nothing, ...loads }, notes)
}

function resultOf(figures: Figures, notes: readonly string[]): BenchmarkResult {
  const isMet = Object.entries(limits).every(
    ([name, limit]) => Math.abs(figures[name] ?? Number.NaN) <= limit,
  )
  return {
    name: 'meter-on-gpu',
    figures,
    targets: Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [name, `<= ${limit}`]),
    ),
    met: isMet,
    notes,
  }
}

/** A window in which nothing runs must have no net energy. */
async function nullTest(meter: Meter): Promise<Figures> {
  const before = await measureIdle(meter, { durationS: NULL_S })
  const gross = await readFor(meter, NULL_S)
  const after = await measureIdle(meter, { durationS: NULL_S })
  const net = netEnergy(gross, combineIdle(before, after).baseline)
  const total = totalByMethod(net, meter.domains).counter
  if (total === undefined || isUnavailable(total)) return {}
  return {
    'null test, gross, J': totalJ(gross, meter, 'counter'),
    'null test, net, J': total.energyJ,
    'null test, standard uncertainty, J': total.uncertaintyJ,
    'null test, net in standard uncertainties': total.energyJ / total.uncertaintyJ,
  }
}

interface LoadTest {
  readonly name: string
  readonly template: string
  readonly rhythm: LoadRhythm
}

/** The two readings of the meter and two plain ones over the same window. */
async function underLoad(meter: Meter, { name, template, rhythm }: LoadTest): Promise<Figures> {
  await using _ = await startLoad(loadCommand(template, rhythm))
  using plain = openPlainPowerReader(
    meter.devices.map(({ id }) => id),
    PLAIN_INTERVAL_S,
  )
  await delay((1000 * LOAD_MARGIN_S) / 2)
  const reading = await readFor(meter, LOAD_S)
  const counterJ = totalJ(reading, meter, 'counter')
  const offBy = (energyJ: number): number => 100 * (energyJ / counterJ - 1)
  const { startS, endS } = reading
  return {
    [`${name}, A (counter), J`]: counterJ,
    [`${name}, A against B, %`]: offBy(totalJ(reading, meter, 'integrated-power')),
    [`${name}, power usage at 5 Hz against A, %`]: offBy(plain.usageJ(startS, endS)),
    [`${name}, instant power at 5 Hz against A, %`]: offBy(plain.instantJ(startS, endS)),
  }
}

async function readFor(meter: Meter, durationS: number): Promise<EnergyReading> {
  const startS = meter.now()
  await delay(1000 * durationS)
  return meter.energyBetween(startS, startS + durationS)
}

function totalJ(reading: EnergyReading, meter: Meter, method: EnergyMethod): number {
  const total = totalByMethod(reading, meter.domains)[method]
  return total === undefined || isUnavailable(total) ? Number.NaN : total.energyJ
}

/** What the meter costs, phases with and without it in turn. */
async function pollerCost(): Promise<Figures> {
  const without: Phase[] = []
  const watched: Phase[] = []
  // The first only warms the machine up.
  await phase()
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await phase())
    await using _ = await openMeter({ meter: 'nvml' })
    // The tick is learned by then.
    await delay(1500)
    watched.push(await phase())
  }
  const added = (key: keyof Phase): number => medianOf(watched, key) - medianOf(without, key)
  return {
    'poller, % of a core': added('corePercent'),
    'event loop delay p99 added, ms': added('delayP99Ms'),
    'event loop delay p99 with, ms': medianOf(watched, 'delayP99Ms'),
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { measureIdle, netEnergy, openMeter, totalByMethod } from '@energy-bench/meter'
import { type EnergyMethod, isUnavailable, type Meter } from '@energy-bench/spec'
import type { BenchmarkResult } from './benchmark.js'

const repetitions = 8
const requestsEach = 4
const promptTokens = 200
const outputTokens = 256
const idleS = 10
const limitPercent = 0.4

/**
 * Reproducibility of net energy on a real GPU: 8 repetitions of the same decode work (4 requests of 200 prompt and 256
 * output tokens, one at a time, about 5 s) through a llama-server whose address is in ENERGY_BENCH_SERVER.
 */
export async function run(): Promise<BenchmarkResult> {
  const server = process.env.ENERGY_BENCH_SERVER
  if (server === undefined) {
    return resultOf({}, ['It needs a llama-server on a GPU: set ENERGY_BENCH_SERVER to its URL.'])
  }
  await using meter = await openMeter({ meter: 'nvml', runsOn: 'gpu' })
  await generate(server)
  await delay(3000)
  const idle = await measureIdle(meter, { durationS: idleS })
  const windows: Window[] = []
  for (let count = 0; count < repetitions; count += 1) {
    windows.push(await repetition(server, meter))
    await delay(300)
  }
  const nets = await Promise.all(
    windows.map(async ({ startS, endS }) => {
      const reading = netEnergy(await meter.energyBetween(startS, endS), idle)
      return totalByMethod(reading, meter.domains)
    }),
  )
  return resultOf(
    {
      ...figuresOf('counter', nets),
      ...figuresOf('integrated-power', nets),
      ...lengthsOf(windows),
    },
    meter.selection,
  )
}

interface Window {
  readonly startS: number
  readonly endS: number
}

async function repetition(server: string, meter: Meter): Promise<Window> {
  const startS = meter.now()
  for (let count = 0; count < requestsEach; count += 1) await generate(server)
  return { startS, endS: meter.now() }
}

async function generate(server: string): Promise<void> {
  const response = await fetch(new URL('/completion', server), {
    method: 'POST',
    body: JSON.stringify({
      prompt: 'alpha '.repeat(promptTokens),
      n_predict: outputTokens,
      ignore_eos: true,
      temperature: 0,
      cache_prompt: false,
      // The words of a random model are noise that the server cannot parse as a whole; as a stream it sends them.
      stream: true,
    }),
  })
  if (!response.ok) throw new Error(`${server} answered ${response.status}`)
  await response.text()
}

type Totals = ReturnType<typeof totalByMethod>

/** CV over the repetitions, with n - 1, and what the meter itself predicted for one of them. */
function figuresOf(
  method: EnergyMethod,
  nets: readonly Totals[],
): Readonly<Record<string, number>> {
  const totals = nets.map((net) => net[method]).filter((total) => total !== undefined)
  const measured = totals.filter((total) => !isUnavailable(total))
  if (measured.length < repetitions) return {}
  const energies = measured.map(({ energyJ }) => energyJ)
  const mean = energies.reduce((sum, energyJ) => sum + energyJ, 0) / energies.length
  const squares = energies.reduce((sum, energyJ) => sum + (energyJ - mean) ** 2, 0)
  const cv = Math.sqrt(squares / (energies.length - 1)) / mean
  const predicted = measured.reduce((sum, { uncertaintyJ }) => sum + uncertaintyJ, 0)
  return {
    [`${method}, net mean, J`]: mean,
    [`${method}, net CV, %`]: 100 * cv,
    [`${method}, predicted standard uncertainty, %`]: (100 * predicted) / energies.length / mean,
  }
}

function lengthsOf(windows: readonly Window[]): Readonly<Record<string, number>> {
  const lengths = windows.map(({ startS, endS }) => endS - startS)
  return {
    'repetition, s': lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
    'repetition, longest - shortest, s': Math.max(...lengths) - Math.min(...lengths),
  }
}

function resultOf(
  figures: Readonly<Record<string, number>>,
  notes: readonly string[],
): BenchmarkResult {
  return {
    name: 'decode-on-gpu',
    figures,
    targets: { 'counter, net CV, %': `<= ${limitPercent}` },
    met: (figures['counter, net CV, %'] ?? Number.POSITIVE_INFINITY) <= limitPercent,
    notes,
  }
}

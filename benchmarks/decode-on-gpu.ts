import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { measureIdle, netEnergy, openMeter, totalByMethod } from '@energy-bench/meter'
import { type EnergyMethod, isUnavailable, type Meter } from '@energy-bench/spec'
import type { BenchmarkResult } from './benchmark.js'

const repetitions = 8
const idleS = 10
const limitPercent = 0.4

/**
 * Reproducibility of net energy on a real GPU: 8 repetitions of the same decode work of about 5 s. The work is a command
 * in ENERGY_BENCH_GPU_DECODE that says `ready`, then runs once for each line it gets and says `done`, for example
 * `python3 benchmarks/gpu-decode-server.py --tokens 900`.
 */
export async function run(): Promise<BenchmarkResult> {
  const command = process.env.ENERGY_BENCH_GPU_DECODE
  if (command === undefined) {
    return resultOf({}, [
      'It needs an NVIDIA GPU and ENERGY_BENCH_GPU_DECODE, the command that decodes.',
    ])
  }
  await using work = await startWork(command)
  await using meter = await openMeter({ meter: 'nvml', runsOn: 'gpu' })
  await work.once()
  const idle = await measureIdle(meter, { durationS: idleS, settleS: 'auto' })
  const windows: Window[] = []
  for (let count = 0; count < repetitions; count += 1) {
    windows.push(await repetition(work, meter))
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

interface Work extends AsyncDisposable {
  /** Runs the work once. */
  once(): Promise<void>
}

async function startWork(command: string): Promise<Work> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const expect = async (word: string): Promise<void> => {
    const { value, done } = await lines.next()
    if (done === true || value !== word) throw new Error(`${command} said ${value}, not ${word}`)
  }
  await expect('ready')
  return {
    async once() {
      child.stdin.write('go\n')
      await expect('done')
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
    },
  }
}

interface Window {
  readonly startS: number
  readonly endS: number
}

async function repetition(work: Work, meter: Meter): Promise<Window> {
  const startS = meter.now()
  await work.once()
  return { startS, endS: meter.now() }
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

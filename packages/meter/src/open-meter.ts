import { EnergyBenchError, isUnavailable, type Meter, type Unavailable } from '@energy-bench/spec'
import { monotonicS } from './clock.js'
import type { DetectOptions, Driver, DriverFound, MeterId } from './drivers/driver.js'
import { drivers } from './drivers/drivers.js'
import { openPolledMeter } from './polling/polled-meter.js'
import { startThread } from './polling/poller.js'

/** Options of `openMeter`. */
export interface OpenMeterOptions extends DetectOptions {
  /** Default `auto`: NVML where a GPU can be read, else the CPU estimate. */
  readonly meter?: 'auto' | MeterId
  readonly signal?: AbortSignal
}

/**
 * Opens a meter and starts to watch, in a thread of its own.
 *
 * @example
 * await using meter = await openMeter()
 * const startS = meter.now()
 * await work()
 * const reading = await meter.energyBetween(startS, meter.now())
 */
export async function openMeter(options: OpenMeterOptions = {}): Promise<Meter> {
  const { meter: wanted = 'auto', signal } = options
  const candidates = drivers.filter((driver) => wanted === 'auto' || driver.id === wanted)
  const selection: string[] = []
  const problems: Unavailable[] = []
  for (const driver of candidates) {
    signal?.throwIfAborted()
    const opened = await openDriver(driver, options, selection)
    if (!isUnavailable(opened)) return keepUnlessAborted(opened, signal)
    selection.push(`${driver.name}: ${opened.reason}: ${opened.detail}.`)
    problems.push(opened)
  }
  throw unavailableError(wanted, selection, problems)
}

async function openDriver(
  driver: Driver,
  options: DetectOptions,
  passedOver: readonly string[],
): Promise<Meter | Unavailable> {
  const found = await driver.detect(options)
  if (isUnavailable(found)) return found
  const selection = [...passedOver, sentenceOf(driver, found, passedOver.length > 0)]
  return openPolledMeter(startThread(found.specs), { selection, now: monotonicS })
}

function sentenceOf(driver: Driver, found: DriverFound, isFallback: boolean): string {
  return `${isFallback ? 'So ' : ''}${driver.name} is used: ${found.detail}.`
}

async function keepUnlessAborted(meter: Meter, signal: AbortSignal | undefined): Promise<Meter> {
  if (signal?.aborted) await meter[Symbol.asyncDispose]()
  signal?.throwIfAborted()
  return meter
}

function unavailableError(
  wanted: string,
  selection: readonly string[],
  problems: readonly Unavailable[],
): EnergyBenchError {
  const fix = problems.find((problem) => problem.fix !== undefined)?.fix
  const told = selection.length === 0 ? `there is no meter "${wanted}"` : selection.join(' ')
  return new EnergyBenchError('meter-unavailable', `no meter could be opened: ${told}`, {
    fix: fix ?? `Use one of: auto, ${drivers.map((driver) => driver.id).join(', ')}.`,
    cause: problems[0],
  })
}

import { cpus, loadavg } from 'node:os'
import process from 'node:process'
import { createLlamaCpp } from '@energy-bench/backends/llama-cpp'
import {
  type DetectedMeter,
  type DetectOptions,
  type DeviceFacts,
  detectMeters,
  findInterruptedLimits,
} from '@energy-bench/meter'
import { findReferenceModel } from '@energy-bench/reference-model'
import { isEnergyBenchError, isUnknown } from '@energy-bench/spec'
import { deviceChecks } from './device-checks.js'
import { domainChecks } from './domain-checks.js'

/** One thing that was looked at. */
export interface DoctorCheck {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'missing'
  readonly detail: string
  /** What to do, where something can be done. */
  readonly fix?: string
}

export interface DoctorReport {
  readonly checks: readonly DoctorCheck[]
  /** What the drivers know of the devices that can be metered. */
  readonly devices: readonly DeviceFacts[]
  /** Whether `bench quick` can run here. */
  readonly ready: boolean
  readonly verdict: string
}

/** Looks at the machine, the meters and the embedded engine. Changes nothing. */
export async function doctor(options: DetectOptions = {}): Promise<DoctorReport> {
  const found = await detectMeters(options)
  const devices = found.flatMap((meter) => (meter.status === 'available' ? meter.devices : []))
  const meters = meterChecks(found, options)
  const engine = await engineCheck()
  const ready = engine.status === 'ok'
  const measures = meters.some(({ name, status }) => status === 'ok' && name !== 'meter cpu')
  return {
    checks: [
      machineCheck(),
      loadCheck(),
      ...limitChecks(),
      ...meters,
      ...deviceChecks(devices),
      ...(await domainChecks(options)),
      engine,
    ],
    devices,
    ready,
    verdict: verdict(ready, measures),
  }
}

function verdict(ready: boolean, measures: boolean): string {
  if (!ready) return 'the embedded engine does not run; `bench quick --url` can still use a server.'
  if (measures) return 'energy can be measured here.'
  return 'only an estimate of energy is possible here (method model).'
}

function machineCheck(): DoctorCheck {
  const cores = cpus()
  return {
    name: 'machine',
    status: 'ok',
    detail: `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cores.length} x ${cores[0]?.model ?? 'unknown CPU'}`,
  }
}

function loadCheck(): DoctorCheck {
  const load = loadavg()[0] ?? 0
  const detail = `${load.toFixed(2)} processes wanted a core over the last minute`
  if (load < 0.5) return { name: 'load', status: 'ok', detail }
  return {
    name: 'load',
    status: 'warning',
    detail,
    fix: 'Close what is running, for quieter figures.',
  }
}

function meterChecks(meters: readonly DetectedMeter[], options: DetectOptions): DoctorCheck[] {
  // Plugs and recordings are there only when they are named.
  const wanted = meters.filter(({ id }) => id !== 'replay' && (id !== 'wall' || options.wall))
  return wanted.map((meter) => ({
    name: `meter ${meter.id}`,
    status: meter.status === 'available' ? 'ok' : 'missing',
    detail: meter.detail,
    ...('fix' in meter && meter.fix !== undefined ? { fix: meter.fix } : {}),
  }))
}

/** Power limits and clocks that an interrupted run has left behind. */
function limitChecks(): DoctorCheck[] {
  return findInterruptedLimits().map(({ detail, fix }) => ({
    name: 'left-behind limit',
    status: 'warning',
    detail,
    fix,
  }))
}

async function engineCheck(): Promise<DoctorCheck> {
  const name = 'embedded engine'
  try {
    return { name, status: 'ok', detail: await describeEngine() }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const fix = isEnergyBenchError(error) ? error.fix : undefined
    return { name, status: 'missing', detail, ...(fix === undefined ? {} : { fix }) }
  }
}

/** Loads the smallest reference model, the only proof that the engine works here. */
async function describeEngine(): Promise<string> {
  await using backend = createLlamaCpp()
  await using model = await backend.load({ path: findReferenceModel('Q2_K').path })
  const { engine, engineVersion, threads } = model.info
  const version = isUnknown(engineVersion) ? '' : ` ${engineVersion}`
  return `${engine}${version}, threads: ${isUnknown(threads) ? 'unknown' : threads}`
}

import { randomUUID } from 'node:crypto'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { HostInfo } from './report/types.js'

/** What a run takes from the world around it. */
export interface Environment {
  now(): Date
  newSessionId(): string
  sleep(durationS: number, signal?: AbortSignal): Promise<void>
  host(): HostInfo
}

/** The real clock, machine and random numbers. */
export const realEnvironment: Environment = {
  now: () => new Date(),
  newSessionId: () => randomUUID().slice(0, 8),
  sleep,
  host: readHost,
}

async function sleep(durationS: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  try {
    await setTimeout(durationS * 1000, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    // The timer rejects with its own AbortError; callers want the reason that they gave.
    signal?.throwIfAborted()
    throw error
  }
}

function readHost(): HostInfo {
  return {
    os: `${platform()} ${release()}`,
    arch: arch(),
    cpuModel: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    loadAverage: loadavg()[0] ?? 0,
    nodeVersion: process.versions.node,
  }
}

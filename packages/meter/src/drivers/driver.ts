import type { Unavailable } from '@energy-bench/spec'
import type { SourceSpec } from '../polling/polled-source.js'

/** Ways of measuring that can be asked for by name. */
export type MeterId = 'nvml' | 'cpu'

/** What all drivers may need to find what is meant. */
export interface DetectOptions {
  /** GPUs: `all`, or UUIDs, beginnings of UUIDs, or indices of NVML. Default: what CUDA_VISIBLE_DEVICES says, else all. */
  readonly devices?: 'all' | readonly string[]
  /** Processes that do the work: NVML meters the GPUs they run on, the estimate counts their CPU time. */
  readonly processIds?: readonly number[]
  /** Nominal power of one busy core, watts. Default 10. */
  readonly wattsPerCore?: number
  /** Replaces the usual places of the NVML library. */
  readonly nvmlLibraryPath?: string
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** A driver that can run here, with what the polling thread needs to open it. */
export interface DriverFound {
  readonly status: 'available'
  /** What was found and why it was chosen, one sentence. */
  readonly detail: string
  readonly specs: readonly SourceSpec[]
}

/** One way of measuring. `detect` looks without keeping anything open. */
export interface Driver {
  readonly id: MeterId
  /** For people, for example `NVML`. */
  readonly name: string
  detect(options: DetectOptions): Promise<DriverFound | Unavailable>
}

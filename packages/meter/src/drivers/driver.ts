import type { Unavailable } from '@energy-bench/spec'
import type { AppleLibraries } from '../apple/libraries.js'
import type { DeviceFacts } from '../device-facts.js'
import type { SourceSpec } from '../polling/polled-source.js'
import type { ReplayConfig } from '../recording/replay-config.js'
import type { WallConfig } from '../wall/index.js'

/** Ways of measuring that can be asked for by name. */
export type MeterId = 'nvml' | 'amd' | 'intel' | 'apple' | 'rapl' | 'wall' | 'replay' | 'cpu'

/** What all drivers may need to find what is meant. Plain data: drivers run in threads of their own. */
export interface DetectOptions {
  /**
   * GPUs: `all`, or UUIDs, beginnings of UUIDs, bus addresses, or indices in the order of their driver.
   * Default: what CUDA_VISIBLE_DEVICES says of NVIDIA GPUs, else all.
   */
  readonly devices?: 'all' | readonly string[]
  /** Processes that do the work: NVML meters the GPUs they run on, the estimate counts their CPU time. */
  readonly processIds?: readonly number[]
  /** Nominal power of one busy core, watts. Default 10. */
  readonly wattsPerCore?: number
  /** Wall plugs, as URLs (`shelly://192.168.1.5`) or configs. */
  readonly wall?: readonly (string | WallConfig)[]
  /** The recording that the meter `replay` plays. */
  readonly replay?: ReplayConfig
  /** Replaces the usual places of the NVML library. */
  readonly nvmlLibraryPath?: string
  /** Replaces the usual places of AMD SMI. */
  readonly amdLibraryPath?: string
  /** Replaces the usual places of the Level Zero loader. */
  readonly levelZeroLibraryPath?: string
  /** Replaces the system libraries of macOS. */
  readonly appleLibraries?: Partial<AppleLibraries>
  /** Where sysfs is mounted, for RAPL and for AMD and Intel GPUs. Default `/sys`. */
  readonly sysRoot?: string
  /** Where procfs is mounted. Default `/proc`. */
  readonly procRoot?: string
  /** Default `process.platform`. */
  readonly platform?: string
  /** Default `process.arch`. */
  readonly arch?: string
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** A driver that can run here, with what the polling thread needs to open it. */
export interface DriverFound {
  readonly status: 'available'
  /** What was found and why it was chosen, one sentence. */
  readonly detail: string
  readonly specs: readonly SourceSpec[]
  /** What it knows of the devices that it would meter. */
  readonly devices: readonly DeviceFacts[]
}

/** One way of measuring. */
export interface Driver {
  readonly id: MeterId
  /** For people, for example `NVML`. */
  readonly name: string
  /** Why it cannot run here, where that is plain without a call into any library; saves the thread. */
  whyAbsent?(options: DetectOptions): Unavailable | undefined
  /** Looks without keeping anything open. It may block, so that it runs in a thread. */
  detect(options: DetectOptions): Promise<DriverFound | Unavailable>
}

/**
 * Energy of Apple Silicon without privileges: IOReport for the parts of the chip, the SMC for the whole machine.
 * Tested against libraries with the documented ABI, not on Apple hardware.
 */
import {
  type EnergySource,
  isUnavailable,
  type SourceSample,
  type Unavailable,
  unavailable,
} from '@energy-bench/spec'
import { monotonicS } from '../clock.js'
import type { RailState } from './cadence.js'
import { RAIL_NAMES } from './channels.js'
import { type Chip, readChip } from './chip.js'
import { createConsistencyCheck } from './consistency.js'
import { openCoreFoundation } from './core-foundation.js'
import { appleDevices, appleDomains, railId, SYSTEM_ID } from './domains.js'
import { type EnergyReport, openEnergyReport } from './ioreport.js'
import { APPLE_LIBRARIES, type AppleLibraries } from './libraries.js'
import { openMachClock } from './mach-clock.js'
import { createRails, noRails, type Rails } from './rails.js'
import { openSmc, type Smc } from './smc.js'
import { systemPower } from './system-power.js'

export interface OpenAppleSourceOptions {
  /** Other paths for the system libraries. */
  readonly libraries?: Partial<AppleLibraries>
  /** Default `process.platform`. */
  readonly platform?: string
  /** Default `process.arch`. */
  readonly arch?: string
  /** Monotonic seconds, the clock of the meter. Default `process.hrtime`. */
  readonly now?: () => number
}

/** One poll of a Mac. */
export interface AppleSample extends SourceSample {
  /** How each rail is published, by domain id. */
  readonly rails: Readonly<Record<string, RailState>>
}

/** A Mac as a source of energy. */
export interface AppleSource extends EnergySource {
  sample(): Promise<AppleSample>
}

interface Parts {
  readonly chip: Chip
  readonly rails: Rails
  readonly report: EnergyReport | Unavailable
  readonly smc: Smc | Unavailable
  readonly now: () => number
}

/**
 * Opens the energy counters and the power sensor of an Apple Silicon machine. Starts no process and needs no root.
 *
 * @example
 * const source = await openAppleSource()
 * if (isUnavailable(source)) return source.detail
 */
export async function openAppleSource(
  options: OpenAppleSourceOptions = {},
): Promise<AppleSource | Unavailable> {
  const { platform = process.platform, arch = process.arch, now = monotonicS } = options
  const why = whyNotApple(platform, arch)
  if (why !== undefined) return why
  const libraries = { ...APPLE_LIBRARIES, ...options.libraries }
  const chip = readChip(libraries.system)
  if (isUnavailable(chip)) return chip
  const report = openReport(libraries)
  const smc = openSmc(libraries)
  if (isUnavailable(report) && isUnavailable(smc)) {
    return { ...report, detail: `${report.detail}; ${smc.detail}` }
  }
  const rails = openRails(libraries, report)
  return createSource({ chip, rails, report, smc, now })
}

/** Why this is no Apple Silicon machine. */
export function whyNotApple(
  platform: string = process.platform,
  arch: string = process.arch,
): Unavailable | undefined {
  if (platform !== 'darwin') {
    return unavailable('not-supported', `Apple Silicon is needed, this is ${platform}`)
  }
  if (arch === 'arm64') return undefined
  return unavailable(
    'not-supported',
    `Apple Silicon is needed, this process runs as ${arch}: an Intel Mac, or Node under Rosetta`,
    'On Apple Silicon, use a Node that is built for arm64.',
  )
}

function openReport(libraries: AppleLibraries): EnergyReport | Unavailable {
  const cf = openCoreFoundation(libraries.coreFoundation)
  return isUnavailable(cf) ? cf : openEnergyReport(cf, libraries.ioReport)
}

function openRails(libraries: AppleLibraries, report: EnergyReport | Unavailable): Rails {
  if (isUnavailable(report)) return noRails(report)
  const clock = openMachClock(libraries.system)
  return isUnavailable(clock) ? noRails(clock) : createRails(report, clock)
}

function createSource(parts: Parts): AppleSource {
  const { chip, report, smc } = parts
  let isOpen = true
  const check = createConsistencyCheck({ partIds: RAIL_NAMES.map(railId), wholeId: SYSTEM_ID })
  return {
    id: 'apple',
    domains: appleDomains(chip),
    devices: appleDevices(chip),
    sample: async () => {
      // The libraries must not be called with what was given back to them.
      if (!isOpen) return closedSample(parts)
      const sample = read(parts)
      const remark = check.add(sample)
      return remark === undefined ? sample : { ...sample, remarks: [remark] }
    },
    [Symbol.asyncDispose]: async () => {
      if (!isOpen) return
      isOpen = false
      if (!isUnavailable(report)) report[Symbol.dispose]()
      if (!isUnavailable(smc)) smc[Symbol.dispose]()
    },
  }
}

function closedSample({ chip, now }: Parts): AppleSample {
  const closed = unavailable('failed', 'the source is closed')
  const domains = Object.fromEntries(appleDomains(chip).map(({ id }) => [id, closed]))
  return { startS: now(), endS: now(), domains, rails: {} }
}

function read({ rails, smc, now }: Parts): AppleSample {
  const startS = now()
  const { domains, states } = rails.poll(now)
  const system = isUnavailable(smc) ? smc : systemPower(smc, now)
  const endS = now()
  return { startS, endS, domains: { ...domains, [SYSTEM_ID]: system }, rails: states }
}

import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DomainSample } from '@energy-bench/spec'
import { isUnavailable } from '@energy-bench/spec'
import koffi from 'koffi'
import type { AppleLibraries } from '../../../src/apple/libraries.js'
import {
  type AppleSample,
  type AppleSource,
  type OpenAppleSourceOptions,
  openAppleSource,
} from '../../../src/apple/open-apple-source.js'

/** Numbers that `ioreport.c` gives its modes. */
export const GROUP = {
  works: 0,
  missing: 1,
  refuses: 2,
  noSample: 3,
  noList: 4,
  noOut: 5,
  holes: 6,
} as const

/** A channel that the fake IOReport plays. */
export interface FakeChannel {
  readonly name: string | null
  readonly unit?: string | null
  readonly watts: number
  /** Published every `everyS` seconds, `phaseS` after a whole period; left out: at every sample. */
  readonly everyS?: number
  readonly phaseS?: number
  readonly frozenFromS?: number
  readonly startUnits?: number
  readonly id?: number
  readonly lacks?: { readonly raw?: true; readonly stamp?: true; readonly value?: true }
}

const UNITS_PER_J: Readonly<Record<string, number>> = {
  J: 1,
  mJ: 1e3,
  uJ: 1e6,
  '\u00b5J': 1e6,
  nJ: 1e9,
}
const FOLDER = dirname(fileURLToPath(import.meta.url))

function compile(into: string, name: string, needs: readonly string[] = []): string {
  const path = join(into, `lib${name}.so`)
  const source = join(FOLDER, `${name}.c`)
  execFileSync('cc', ['-shared', '-fPIC', '-o', path, source, ...needs, '-lm'])
  return path
}

/** Compiles the four fake libraries and returns what sets and reads them. */
export function createFakeMac() {
  const folder = mkdtempSync(join(tmpdir(), 'energy-bench-apple-'))
  const system = compile(folder, 'system')
  const coreFoundation = compile(folder, 'core-foundation')
  const libraries: AppleLibraries = {
    system,
    coreFoundation,
    ioKit: compile(folder, 'iokit'),
    ioReport: compile(folder, 'ioreport', [coreFoundation, system]),
  }
  const control = declare(libraries)
  const clock = { timeS: 0, aheadS: 0 }
  return {
    libraries,
    ...control,
    clock,
    /** Moves both clocks. The clock of the meter runs `aheadS` before the mach clock. */
    setTime(timeS: number) {
      clock.timeS = timeS
      control.systemTime(timeS)
    },
    play(channels: readonly FakeChannel[], mode: number = GROUP.works) {
      control.reportReset(mode)
      for (const channel of channels) addChannel(control, channel)
    },
    open(options: OpenAppleSourceOptions = {}) {
      const now = () => clock.timeS + clock.aheadS
      return openAppleSource({ libraries, platform: 'darwin', arch: 'arm64', now, ...options })
    },
  }
}

function declare(libraries: AppleLibraries) {
  const cf = koffi.load(libraries.coreFoundation)
  const system = koffi.load(libraries.system)
  const report = koffi.load(libraries.ioReport)
  const smc = koffi.load(libraries.ioKit)
  return {
    cfLive: (): number => Number(cf.func('int64 fake_cf_live()')()),
    cfMisuses: (): number => Number(cf.func('int64 fake_cf_misuses()')()),
    cfFailStrings: cf.func('void fake_cf_fail_strings(int fail)'),
    systemTime: system.func('void fake_system_time(double seconds)'),
    systemBrand: system.func('void fake_system_brand(str name)'),
    reportReset: report.func('void fake_report_reset(int mode)'),
    reportMode: report.func('void fake_report_mode(int mode)'),
    reportStampOffset: report.func('void fake_report_stamp_offset(double seconds)'),
    reportAsked: (): string => report.func('str fake_report_asked()')(),
    channel: report.func('int fake_channel(str name, str unit, double perJ, double watts)'),
    channelBatch: report.func('void fake_channel_batch(int i, double period, double phase)'),
    channelStart: report.func('void fake_channel_start(int i, double units)'),
    channelFreeze: report.func('void fake_channel_freeze(int i, double at)'),
    channelId: report.func('void fake_channel_id(int i, double id)'),
    channelHide: report.func('void fake_channel_hide(int i, int hidden)'),
    channelLacks: report.func('void fake_channel_lacks(int i, int raw, int stamp, int value)'),
    smcHeld: (): number => smc.func('int fake_smc_held()')(),
    smcInfos: (): number => smc.func('int fake_smc_infos()')(),
    smcReads: (): number => smc.func('int fake_smc_reads()')(),
    smcMisuses: (): number => smc.func('int fake_smc_misuses()')(),
    smcPower: smc.func('void fake_smc_power(double watts)'),
    smcType: smc.func('void fake_smc_type(str type)'),
    smcKey: smc.func('void fake_smc_key(int exists)'),
    smcEndpoint: smc.func('void fake_smc_endpoint(int exists)'),
    smcService: smc.func('void fake_smc_service(int exists)'),
    smcOpen: smc.func('void fake_smc_open(int code)'),
    smcCodes: smc.func('void fake_smc_codes(int call, int result)'),
  }
}

function addChannel(control: ReturnType<typeof declare>, channel: FakeChannel): void {
  const { name, unit = 'mJ', watts, everyS = 0, phaseS = 0, lacks = {} } = channel
  const index = control.channel(name, unit, UNITS_PER_J[unit?.trim() ?? ''] ?? 1, watts)
  control.channelBatch(index, everyS, phaseS)
  control.channelStart(index, channel.startUnits ?? 0)
  if (channel.frozenFromS !== undefined) control.channelFreeze(index, channel.frozenFromS)
  if (channel.id !== undefined) control.channelId(index, channel.id)
  control.channelLacks(index, Number(!!lacks.raw), Number(!!lacks.stamp), Number(!!lacks.value))
}

/** The machine that the tests drive. */
export type FakeMac = ReturnType<typeof createFakeMac>

/** Opens the source and fails the test when it is not available. */
export async function opened(mac: FakeMac, options?: OpenAppleSourceOptions): Promise<AppleSource> {
  const source = await mac.open(options)
  if (isUnavailable(source)) throw new Error(source.detail)
  return source
}

/** Polls at the given times and returns the last sample. */
export async function pollAt(
  mac: FakeMac,
  source: AppleSource,
  timesS: readonly number[],
): Promise<AppleSample> {
  let last: AppleSample | undefined
  for (const timeS of timesS) {
    mac.setTime(timeS)
    last = await source.sample()
  }
  if (last === undefined) throw new Error('no time to poll at')
  return last
}

/** Times from `fromS` to `toS`, both included, `stepS` apart. */
export function times(fromS: number, toS: number, stepS: number): readonly number[] {
  const count = Math.round((toS - fromS) / stepS) + 1
  return Array.from({ length: count }, (_, index) => fromS + index * stepS)
}

/** The sample as energy, or a failure of the test. */
export function energy(
  sample: DomainSample | undefined,
): Extract<DomainSample, { readonly type: 'energy' }> {
  if (sample === undefined || 'status' in sample || sample.type !== 'energy') {
    throw new Error(`expected energy, got ${JSON.stringify(sample)}`)
  }
  return sample
}

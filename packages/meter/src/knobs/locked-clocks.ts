import { EnergyBenchError, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { holdSetting, type KnobOptions, type KnobPlan, type KnobWork } from './hold-setting.js'
import { openKnob, readOrThrow } from './open-knob.js'
import { readUntil } from './read-until.js'
import type { KnobDevice, Range } from './setters-binding.js'

/** A clock, or the lowest and highest that the GPU may choose; hertz, sent as whole megahertz. */
export type ClockWish = number | { readonly minHz: number; readonly maxHz: number }

/** The clocks while the work runs. Hertz. */
export interface AppliedClocks {
  readonly device: string
  readonly minHz: number
  readonly maxHz: number
  /** Graphics clock just after it was set; an idle GPU may go below `minHz`. */
  readonly clockHz: number | Unavailable
}

/** GPUs know steps of 15 MHz at most and go to the nearest. */
const STEP_HZ = 15e6

/**
 * Runs `work` with the graphics clocks of one GPU locked, and unlocks them however it ends: by an error, an abort, a
 * signal or `kill -9`. Needs root. NVML cannot read locked clocks: a lock that was there before is lost.
 *
 * @example
 * const joules = await withLockedClocks(1.2e9, (signal) => runTask({ signal }), { device: 'GPU-1234' })
 */
export async function withLockedClocks<Result>(
  clock: ClockWish,
  work: KnobWork<AppliedClocks, Result>,
  options: KnobOptions,
): Promise<Result> {
  options.signal?.throwIfAborted()
  using device = openKnob(options.device, options.nvmlLibraryPath)
  const range = typeof clock === 'number' ? { min: clock, max: clock } : rangeOf(clock)
  checkRange(range, device)
  return await holdSetting(planClocks(range, device), work, options)
}

function rangeOf({ minHz, maxHz }: Exclude<ClockWish, number>): Range {
  return { min: minHz, max: maxHz }
}

function checkRange({ min, max }: Range, device: KnobDevice): void {
  const action = `the range of the clocks of ${device.uuid} cannot be read`
  const allowed = readOrThrow(action, device.clockRangeHz())
  if (min >= allowed.min && min <= max && max <= allowed.max) return
  const range = `${inMegahertz(allowed.min)} to ${inMegahertz(allowed.max)}`
  throw new EnergyBenchError(
    'usage-invalid',
    `clocks of ${inMegahertz(min)} to ${inMegahertz(max)} are not within the range of ${device.uuid}: ${range}`,
    { fix: `Choose clocks within ${range}, the lower one first.` },
  )
}

function planClocks(range: Range, device: KnobDevice): KnobPlan<AppliedClocks> {
  return {
    device,
    what: 'locked-clocks',
    wanted: `${inMegahertz(range.min)} to ${inMegahertz(range.max)}`,
    readPrevious: () => ({ what: 'locked-clocks' }),
    // Unlocked first: where that fails, a lock could not be taken back.
    set: () => device.resetLockedClocks() ?? device.setLockedClocksHz(range),
    async confirm(signal) {
      const isLow = (valueHz: number) => valueHz <= range.max + STEP_HZ
      const clockHz = await readUntil(device.clockHz, isLow, signal)
      if (!isUnavailable(clockHz) && !isLow(clockHz)) throw notAchieved(range, clockHz, device)
      return { device: device.uuid, minHz: range.min, maxHz: range.max, clockHz }
    },
  }
}

function notAchieved(range: Range, clockHz: number, device: KnobDevice): EnergyBenchError {
  return new EnergyBenchError(
    'measurement-invalid',
    `${device.uuid} accepted clocks of at most ${inMegahertz(range.max)}, but runs at ${inMegahertz(clockHz)}`,
    { fix: 'See whether another program sets the clocks too, then try again.' },
  )
}

function inMegahertz(hertz: number): string {
  return `${hertz / 1e6} MHz`
}

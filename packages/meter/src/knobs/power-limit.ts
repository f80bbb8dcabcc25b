import { EnergyBenchError, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { holdSetting, type KnobOptions, type KnobPlan, type KnobWork } from './hold-setting.js'
import { openKnob, readOrThrow } from './open-knob.js'
import { POWER_TOLERANCE_W } from './previous-setting.js'
import { readUntil } from './read-until.js'
import type { KnobDevice } from './setters-binding.js'

/** Options of `withPowerLimit`. */
export interface PowerLimitOptions extends KnobOptions {
  /** Lets the limit be above the default of the GPU; off unless set. */
  readonly allowAboveDefault?: boolean
}

/** The power limit while the work runs, as the GPU tells it. Watts. */
export interface AppliedPowerLimit {
  readonly device: string
  readonly powerLimitW: number
  /** Lower than `powerLimitW` when something else limits more. */
  readonly enforcedPowerLimitW: number | Unavailable
}

/**
 * Runs `work` with the power limit of one GPU at `limitW` watts, and brings the former limit back however it ends:
 * by an error, an abort, a signal or `kill -9`. Needs root. One at a time for each GPU.
 *
 * @example
 * const joules = await withPowerLimit(500, (signal) => runTask({ signal }), { device: 'GPU-1234' })
 */
export async function withPowerLimit<Result>(
  limitW: number,
  work: KnobWork<AppliedPowerLimit, Result>,
  options: PowerLimitOptions,
): Promise<Result> {
  options.signal?.throwIfAborted()
  using device = openKnob(options.device, options.nvmlLibraryPath)
  checkRange(limitW, device)
  if (options.allowAboveDefault !== true) checkDefault(limitW, device)
  return await holdSetting(planPowerLimit(limitW, device), work, options)
}

function checkRange(limitW: number, device: KnobDevice): void {
  const action = `the range of the power limit of ${device.uuid} cannot be read`
  const { min, max } = readOrThrow(action, device.powerLimitRangeW())
  if (limitW >= min && limitW <= max) return
  throw new EnergyBenchError(
    'usage-invalid',
    `a power limit of ${limitW} W is outside the range of ${device.uuid}: ${min} W to ${max} W`,
    { fix: `Choose a limit from ${min} to ${max}.` },
  )
}

/** Without a default that can be read, the limit of this moment stands for it. */
function checkDefault(limitW: number, device: KnobDevice): void {
  const read = device.defaultPowerLimitW()
  const defaultW = isUnavailable(read) ? readLimit(device) : read
  if (limitW <= defaultW) return
  throw new EnergyBenchError(
    'refused',
    `a power limit of ${limitW} W is above the default of ${device.uuid}, ${defaultW} W`,
    { fix: `Choose at most ${defaultW}, or pass allowAboveDefault.` },
  )
}

function readLimit(device: KnobDevice): number {
  return readOrThrow(`the power limit of ${device.uuid} cannot be read`, device.powerLimitW())
}

function planPowerLimit(limitW: number, device: KnobDevice): KnobPlan<AppliedPowerLimit> {
  const action = `the power limit of ${device.uuid} cannot be read back`
  return {
    device,
    what: 'power-limit',
    wanted: `${limitW} W`,
    readPrevious: () => ({ what: 'power-limit', powerLimitW: readLimit(device) }),
    set: () => device.setPowerLimitW(limitW),
    async confirm(signal) {
      const isSet = (valueW: number) => Math.abs(valueW - limitW) <= POWER_TOLERANCE_W
      const isEnforced = (valueW: number) => valueW <= limitW + POWER_TOLERANCE_W
      const powerLimitW = readOrThrow(action, await readUntil(device.powerLimitW, isSet, signal))
      if (!isSet(powerLimitW)) throw notAchieved(limitW, `${powerLimitW} W is set`, device)
      const enforcedW = await readUntil(device.enforcedPowerLimitW, isEnforced, signal)
      if (!isUnavailable(enforcedW) && !isEnforced(enforcedW)) {
        throw notAchieved(limitW, `${enforcedW} W is enforced`, device)
      }
      return {
        device: device.uuid,
        powerLimitW,
        enforcedPowerLimitW: enforcedW,
      }
    },
  }
}

function notAchieved(limitW: number, found: string, device: KnobDevice): EnergyBenchError {
  return new EnergyBenchError(
    'measurement-invalid',
    `${device.uuid} accepted a power limit of ${limitW} W, but ${found}`,
    { fix: 'See whether another program sets the limit too, then try again.' },
  )
}

import { isUnavailable, type Unavailable, unavailable } from '@energy-bench/spec'
import type { KnobDevice } from './setters-binding.js'

/** Names of what can be set on a GPU. */
export type KnobName = 'power-limit' | 'locked-clocks'

/** What a GPU is brought back to. NVML has no call that reads locked clocks, so that these are unlocked. */
export type PreviousSetting =
  | { readonly what: 'power-limit'; readonly powerLimitW: number }
  | { readonly what: 'locked-clocks' }

const READ_ATTEMPTS = 10
const READ_PAUSE_MS = 20

/** Drivers may round; a larger difference between what was asked for and what is read back is a failure, watts. */
export const POWER_TOLERANCE_W = 0.5

/** True when a GPU is where it would be brought back to; locked clocks cannot be read and count as that. */
export function isAsBefore(device: KnobDevice, previous: PreviousSetting): boolean {
  return previous.what === 'locked-clocks' || device.powerLimitW() === previous.powerLimitW
}

/** Brings a GPU back and reads it back. Does nothing when it is there already. Blocks, so that it can run while the process exits. */
export function restorePrevious(
  device: KnobDevice,
  previous: PreviousSetting,
): Unavailable | undefined {
  if (previous.what === 'locked-clocks') return device.resetLockedClocks()
  // No call when there is nothing to change: it would fail where the permission is missing.
  if (isAsBefore(device, previous)) return undefined
  const wantedW = previous.powerLimitW
  return device.setPowerLimitW(wantedW) ?? confirmPowerLimit(device, wantedW)
}

function confirmPowerLimit(device: KnobDevice, wantedW: number): Unavailable | undefined {
  let limitW = device.powerLimitW()
  for (let attempt = 1; attempt < READ_ATTEMPTS; attempt += 1) {
    if (!isUnavailable(limitW) && Math.abs(limitW - wantedW) <= POWER_TOLERANCE_W) return undefined
    pauseNow(READ_PAUSE_MS)
    limitW = device.powerLimitW()
  }
  if (isUnavailable(limitW)) return limitW
  return unavailable('failed', `the limit was set to ${wantedW} W, but ${limitW} W was read back`)
}

/** Blocks the thread, milliseconds. For code that must not return to the event loop. */
function pauseNow(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** The command that does the same by hand. */
export function restoreCommand(
  uuid: string,
  previous: PreviousSetting,
  platform: NodeJS.Platform = process.platform,
): string {
  const start = `${platform === 'win32' ? '' : 'sudo '}nvidia-smi -i ${uuid}`
  return previous.what === 'locked-clocks'
    ? `${start} -rgc`
    : `${start} -pl ${previous.powerLimitW}`
}

/** Names a knob of a GPU in a sentence. */
export function nameKnob(what: KnobName, uuid: string): string {
  return `the ${what === 'power-limit' ? 'power limit' : 'clocks'} of ${uuid}`
}

/** Says that a GPU was not brought back. */
export function unrestoredText(uuid: string, previous: PreviousSetting): string {
  return `${nameKnob(previous.what, uuid)} could not be restored (former value: ${namePrevious(previous)})`
}

/** Says in a sentence where a GPU is brought back to. */
export function namePrevious(previous: PreviousSetting): string {
  return previous.what === 'locked-clocks' ? 'unlocked' : `${previous.powerLimitW} W`
}

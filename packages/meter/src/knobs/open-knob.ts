import { EnergyBenchError, isUnavailable, type Unavailable } from '@energy-bench/spec'
import { knobError } from './knob-error.js'
import { isDeviceUuid } from './lock-record.js'
import { type KnobDevice, openKnobDevice } from './setters-binding.js'

/** Opens a GPU, or throws an `EnergyBenchError`. */
export function openKnob(uuid: string, nvmlLibraryPath?: string): KnobDevice {
  if (!isDeviceUuid(uuid)) {
    throw new EnergyBenchError('usage-invalid', `"${uuid}" is not the UUID of a GPU`, {
      fix: 'Take one from the list of `nvidia-smi -L`.',
    })
  }
  return readOrThrow(`${uuid} cannot be opened`, openKnobDevice(uuid, nvmlLibraryPath))
}

/** The value, or an error that begins with `action`. */
export function readOrThrow<Value>(action: string, value: Value | Unavailable): Value {
  if (isUnavailable(value)) throw knobError(action, value)
  return value
}

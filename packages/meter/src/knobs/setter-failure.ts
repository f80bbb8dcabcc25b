import { type Unavailable, unavailable } from '@energy-bench/spec'
import { nvmlFailure } from '../nvml/status.js'

const INVALID_ARGUMENT = 2
const NOT_SUPPORTED = 3
const NO_PERMISSION = 4

/** The value that stands for a failed NVML setter. The remedies differ from those of a reading: setters want root. */
export function setterFailure(call: string, code: number): Unavailable {
  if (code === INVALID_ARGUMENT) {
    return unavailable(
      'failed',
      `${call} returned 2 (INVALID_ARGUMENT)`,
      'Ask for a value within the range of this GPU: nvidia-smi -q -d POWER,CLOCK.',
    )
  }
  if (code === NOT_SUPPORTED) {
    return unavailable(
      'not-supported',
      `${call} returned 3 (NOT_SUPPORTED)`,
      'This GPU cannot be set so (common on laptops, MIG slices and virtual GPUs); leave this knob out.',
    )
  }
  if (code === NO_PERMISSION) {
    return unavailable(
      'permission-denied',
      `${call} returned 4 (NO_PERMISSION)`,
      'Run as root (on Windows: as administrator); in a container, start it with --cap-add SYS_ADMIN.',
    )
  }
  return nvmlFailure(call, code)
}

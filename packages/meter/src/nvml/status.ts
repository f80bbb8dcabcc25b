import { type Unavailable, type UnavailableReason, unavailable } from '@energy-bench/spec'

/** Return code of an NVML call that went well. */
export const NVML_SUCCESS = 0
/** Return code of a call that found nothing. */
export const NVML_NOT_FOUND = 6
/** Return code of a call whose buffer was too small. */
export const NVML_INSUFFICIENT_SIZE = 7

interface Meaning {
  readonly name: string
  readonly reason: UnavailableReason
  readonly fix?: string
}

const meanings: Readonly<Record<number, Meaning>> = {
  1: { name: 'UNINITIALIZED', reason: 'failed' },
  2: { name: 'INVALID_ARGUMENT', reason: 'failed' },
  3: { name: 'NOT_SUPPORTED', reason: 'not-supported' },
  4: {
    name: 'NO_PERMISSION',
    reason: 'permission-denied',
    fix: 'Give this user access to /dev/nvidiactl and /dev/nvidia0 (in a container: start it with --gpus all).',
  },
  6: {
    name: 'NOT_FOUND',
    reason: 'no-device',
    fix: 'Compare the device with the list of `nvidia-smi -L`.',
  },
  9: {
    name: 'DRIVER_NOT_LOADED',
    reason: 'driver-mismatch',
    fix: 'Load the NVIDIA driver (sudo modprobe nvidia), or reboot after installing it.',
  },
  10: { name: 'TIMEOUT', reason: 'no-data', fix: 'Try again; the driver did not answer in time.' },
  13: { name: 'FUNCTION_NOT_FOUND', reason: 'not-supported', fix: 'Update the NVIDIA driver.' },
  15: {
    name: 'GPU_IS_LOST',
    reason: 'device-lost',
    fix: 'Reboot the machine; look for Xid in the kernel log.',
  },
  16: {
    name: 'RESET_REQUIRED',
    reason: 'device-lost',
    fix: 'Reboot the machine, or reset the GPU.',
  },
  17: {
    name: 'OPERATING_SYSTEM',
    reason: 'permission-denied',
    fix: 'Restart the container: its access to the GPU was taken away.',
  },
  18: {
    name: 'LIB_RM_VERSION_MISMATCH',
    reason: 'driver-mismatch',
    fix: 'Reboot: the NVIDIA library is newer or older than the driver that is loaded.',
  },
  21: { name: 'NO_DATA', reason: 'no-data' },
  27: { name: 'NOT_READY', reason: 'no-data', fix: 'Try again when the GPU is ready.' },
  28: {
    name: 'GPU_NOT_FOUND',
    reason: 'no-device',
    fix: 'Compare the device with the list of `nvidia-smi -L`.',
  },
  999: {
    name: 'UNKNOWN',
    reason: 'failed',
    fix: 'In a container, restart it: a reload of systemd on the host takes the GPU away. Else reboot.',
  },
}

/** The value that stands for a failed NVML call. `call` is the name of the function. */
export function nvmlFailure(call: string, code: number): Unavailable {
  const meaning = meanings[code]
  const name = meaning === undefined ? '' : ` (${meaning.name})`
  return unavailable(meaning?.reason ?? 'failed', `${call} returned ${code}${name}`, meaning?.fix)
}

/** Failures of a call that went well before: the device, or the way to it, is gone. */
const gone: readonly UnavailableReason[] = ['failed', 'permission-denied', 'no-device']

/** What a failure means for something that has worked before. A value that is not ready yet stays what it is. */
export function lostMidRun(failure: Unavailable): Unavailable {
  if (!gone.includes(failure.reason)) return failure
  return { ...failure, reason: 'device-lost', detail: `the GPU was lost: ${failure.detail}` }
}

import {
  EnergyBenchError,
  type ErrorCode,
  type Unavailable,
  type UnavailableReason,
} from '@energy-bench/spec'

const codes: Partial<Record<UnavailableReason, ErrorCode>> = {
  'permission-denied': 'refused',
  'no-device': 'usage-invalid',
}

/** The error for a call of the driver that failed; `action` says what could not be done. */
export function knobError(action: string, failure: Unavailable): EnergyBenchError {
  return new EnergyBenchError(
    codes[failure.reason] ?? 'environment-invalid',
    `${action}: ${failure.detail}`,
    failure.fix === undefined ? {} : { fix: failure.fix },
  )
}

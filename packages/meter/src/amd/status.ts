import { type Unavailable, type UnavailableReason, unavailable } from '@energy-bench/spec'

interface Meaning {
  readonly text: string
  readonly reason: UnavailableReason
  readonly fix?: string
}

const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [2, { text: 'not supported', reason: 'not-supported' }],
  [3, { text: 'not implemented', reason: 'not-supported' }],
  [
    4,
    {
      text: 'a library could not be loaded',
      reason: 'library-missing',
      fix: 'Install ROCm again.',
    },
  ],
  [
    10,
    {
      text: 'permission denied',
      reason: 'permission-denied',
      fix: 'Run: sudo usermod -aG render,video $USER, then log in again.',
    },
  ],
  [30, { text: 'device busy', reason: 'no-data' }],
  [31, { text: 'device not found', reason: 'no-device' }],
  [32, { text: 'not initialised', reason: 'failed' }],
  [34, { text: 'driver not loaded', reason: 'no-device', fix: 'Run: sudo modprobe amdgpu' }],
  [40, { text: 'no data', reason: 'no-data' }],
])

/** What a status of AMD SMI other than 0 means. */
export function amdSmiFailure(call: string, status: number): Unavailable {
  const meaning = MEANINGS.get(status)
  return unavailable(
    meaning?.reason ?? 'failed',
    `${call}: ${meaning?.text ?? 'failed'} (status ${status})`,
    meaning?.fix,
  )
}

import { type Unavailable, type UnavailableReason, unavailable } from '@energy-bench/spec'

interface Meaning {
  readonly text: string
  readonly reason: UnavailableReason
  readonly fix?: string
}

const RIGHTS = 'Run: sudo usermod -aG render,video $USER, then log in again; some GPUs need root.'

const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [1, { text: 'not ready', reason: 'no-data' }],
  [0x70000001, { text: 'device lost', reason: 'device-lost' }],
  [0x70000006, { text: 'device needs a reset', reason: 'device-lost' }],
  [
    0x70000007,
    { text: 'device sleeps', reason: 'asleep', fix: 'Start the work on the GPU first.' },
  ],
  [0x70010000, { text: 'permission denied', reason: 'permission-denied', fix: RIGHTS }],
  [0x70010001, { text: 'not available', reason: 'no-data' }],
  [
    0x70020000,
    {
      text: 'a library it needs is missing',
      reason: 'library-missing',
      fix: 'Install the Level Zero GPU driver (libze-intel-gpu1, intel-level-zero-gpu).',
    },
  ],
  [0x78000001, { text: 'not initialised', reason: 'library-missing', fix: 'Update Level Zero.' }],
  [0x78000002, { text: 'version not supported', reason: 'driver-mismatch' }],
  [0x78000003, { text: 'not supported', reason: 'not-supported' }],
])

/** What a result of Level Zero other than 0 means. */
export function levelZeroFailure(call: string, result: number): Unavailable {
  // koffi gives a signed number.
  const code = result >>> 0
  const meaning = MEANINGS.get(code)
  return unavailable(
    meaning?.reason ?? 'failed',
    `${call}: ${meaning?.text ?? 'failed'} (result 0x${code.toString(16)})`,
    meaning?.fix,
  )
}

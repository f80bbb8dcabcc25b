import { type OwnerState, ownerState } from './lock-owner.js'
import { type LockRecord, parseLockRecord } from './lock-record.js'
import { readLockText } from './lock-text.js'

/** What a lock file means at this moment. */
export type LockJudgement =
  | { readonly state: 'gone' }
  | { readonly state: 'damaged'; readonly text: string }
  | {
      /**
       * `interrupted`: its owner ended, or gave up, without restoring. `undone`: so it did, but the machine was started
       * again since, and no setting of NVML outlives that.
       */
      readonly state: 'held' | 'interrupted' | 'elsewhere' | 'undone'
      readonly record: LockRecord
      readonly text: string
    }

const states = {
  alive: 'held',
  dead: 'interrupted',
  elsewhere: 'elsewhere',
  rebooted: 'undone',
} as const satisfies Record<OwnerState, LockJudgement['state']>

/** Reads a lock file and looks whether its owner still runs. Never throws. */
export function judgeLock(path: string): LockJudgement {
  const text = readLockText(path)
  if (text === undefined) return { state: 'gone' }
  const record = parseLockRecord(text)
  if (record === undefined) return { state: 'damaged', text }
  const state = states[ownerState(record.owner)]
  const isGivenUp = record.state === 'abandoned' && state !== 'undone'
  return { state: isGivenUp ? 'interrupted' : state, record, text }
}

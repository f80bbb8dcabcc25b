import { type OwnerState, ownerState } from './lock-owner.js'
import { type LockRecord, parseLockRecord } from './lock-record.js'
import { readLockText } from './lock-text.js'

/** What a lock file means at this moment. */
export type LockJudgement =
  | { readonly state: 'gone' }
  | { readonly state: 'damaged'; readonly text: string }
  | {
      /** `interrupted`: its owner ended, or gave up, without restoring. */
      readonly state: 'held' | 'interrupted' | 'elsewhere'
      readonly record: LockRecord
      readonly text: string
    }

const states = {
  alive: 'held',
  dead: 'interrupted',
  elsewhere: 'elsewhere',
} as const satisfies Record<OwnerState, LockJudgement['state']>

/** Reads a lock file and looks whether its owner still runs. Never throws. */
export function judgeLock(path: string): LockJudgement {
  const text = readLockText(path)
  if (text === undefined) return { state: 'gone' }
  const record = parseLockRecord(text)
  if (record === undefined) return { state: 'damaged', text }
  if (record.state === 'abandoned') return { state: 'interrupted', record, text }
  return { state: states[ownerState(record.owner)], record, text }
}

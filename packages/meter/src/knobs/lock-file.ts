import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EnergyBenchError } from '@energy-bench/spec'
import { judgeLock, type LockJudgement } from './lock-judgement.js'
import { currentOwner } from './lock-owner.js'
import { type LockRecord, lockFileName } from './lock-record.js'
import { readLockText, removeLock } from './lock-text.js'
import { lockedError } from './locked-error.js'
import { isAsBefore, type KnobName, type PreviousSetting } from './previous-setting.js'
import type { KnobDevice } from './setters-binding.js'

/** A lock file that this process wrote. */
export interface HeldLock {
  readonly path: string
  readonly previous: PreviousSetting
  /** Removes the file, unless it belongs to someone else by now. */
  remove(): void
  /** Says in the file that the value was not restored, for the next one who comes. */
  abandon(): void
}

/** What is to be locked, and where. */
export interface LockRequest {
  readonly device: KnobDevice
  readonly what: KnobName
  /** Throws when it cannot be read. */
  readPrevious(): PreviousSetting
  readonly stateDir: string
}

/** A guard whose owner has just died restores within milliseconds; it is waited for. */
const GUARD_GRACE_MS = 1000
const RETRY_MS = 25

/** Takes the lock of one knob of one GPU, for all processes that share the folder. Refuses when another has it. */
export async function takeLock(request: LockRequest): Promise<HeldLock> {
  const path = join(request.stateDir, lockFileName(request.device.uuid, request.what))
  const giveUpMs = performance.now() + GUARD_GRACE_MS
  for (;;) {
    const lock = tryLock(path, request)
    if (lock !== undefined) return lock
    const found = judgeLock(path)
    const isLate = performance.now() > giveUpMs
    if (holdsNothing(found, request.device, isLate)) removeLock(path, found.text)
    else if (!mayVanish(found) || isLate) throw lockedError(path, found)
    else await sleep(RETRY_MS)
  }
}

function tryLock(path: string, { device, readPrevious }: LockRequest): HeldLock | undefined {
  const record: LockRecord = {
    version: 1,
    device: device.uuid,
    previous: readPrevious(),
    owner: currentOwner(),
    startedAt: new Date().toISOString(),
    state: 'held',
  }
  if (!createWhole(path, textOf(record))) return undefined
  const lock = heldLock(path, record)
  if (isAsBefore(device, record.previous)) return lock
  // Read while someone else still held the lock, so that it was their value: read again.
  lock.remove()
  return undefined
}

type ReadLock = Extract<LockJudgement, { readonly text: string }>

/**
 * True for a lock that was left behind without need: the machine was started again since, or the limit is what it is to
 * be brought back to. A guard that may still be at work is given its time first.
 */
function holdsNothing(
  found: LockJudgement,
  device: KnobDevice,
  isLate: boolean,
): found is ReadLock {
  if (found.state === 'undone') return true
  if (found.state !== 'interrupted') return false
  const { previous, state } = found.record
  const isGuardGone = isLate || state === 'abandoned'
  return isGuardGone && previous.what === 'power-limit' && isAsBefore(device, previous)
}

function mayVanish(found: LockJudgement): boolean {
  if (found.state === 'gone') return true
  return found.state === 'interrupted' && found.record.state === 'held'
}

/** Like O_EXCL, but the file has its text from the first moment on: a crash leaves no empty lock. False when there is one. */
function createWhole(path: string, text: string): boolean {
  const draft = writeDraft(path, text)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw unwritable(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${randomUUID()}.draft`
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
    return draft
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unwritable(path: string, cause: unknown): EnergyBenchError {
  return new EnergyBenchError('environment-invalid', `the lock file ${path} cannot be written`, {
    fix: 'Make its folder writable, or name another one with stateDir.',
    cause,
  })
}

function heldLock(path: string, record: LockRecord): HeldLock {
  const text = textOf(record)
  return {
    path,
    previous: record.previous,
    remove: () => removeLock(path, text),
    abandon() {
      if (readLockText(path) !== text) return
      renameSync(writeDraft(path, textOf({ ...record, state: 'abandoned' })), path)
    },
  }
}

function textOf(record: LockRecord): string {
  return `${JSON.stringify(record)}\n`
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

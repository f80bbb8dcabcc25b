import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { knobError } from './knob-error.js'
import { judgeLock } from './lock-judgement.js'
import { isLockFileName } from './lock-record.js'
import { removeLock } from './lock-text.js'
import {
  damagedFix,
  elsewhereText,
  interruptedText,
  lockedError,
  restoreFix,
} from './locked-error.js'
import { openKnob } from './open-knob.js'
import {
  type PreviousSetting,
  restoreCommand,
  restorePrevious,
  unrestoredText,
} from './previous-setting.js'
import { defaultStateDir } from './state-dir.js'

/** A value that was set and, as far as can be seen, never brought back. */
export interface LeftBehindLimit {
  /** `elsewhere`: set by another machine or container that shares the folder, and perhaps still in use. */
  readonly state: 'interrupted' | 'elsewhere'
  /** The lock file. */
  readonly path: string
  readonly device: string
  /** What the GPU is brought back to. */
  readonly previous: PreviousSetting
  readonly pid: number
  /** ISO 8601. */
  readonly startedAt: string
  /** What happened, one sentence. */
  readonly detail: string
  /** What to do, one sentence. */
  readonly fix: string
  /** The command that restores the value by hand. */
  readonly restoreCommand: string
}

/** A lock file that cannot be read. */
export interface DamagedLock {
  readonly state: 'damaged'
  readonly path: string
  readonly detail: string
  readonly fix: string
}

/** What `findInterruptedLimits` finds. */
export type InterruptedLimit = LeftBehindLimit | DamagedLock

/** Options of `findInterruptedLimits`. */
export interface FindInterruptedOptions {
  /** Folder of the lock files; by default that of `withPowerLimit`. */
  readonly stateDir?: string
}

/** Lists the values that processes left behind, in the order of the file names. Touches no GPU and never throws. */
export function findInterruptedLimits(
  options: FindInterruptedOptions = {},
): readonly InterruptedLimit[] {
  const folder = resolve(options.stateDir ?? defaultStateDir())
  const paths = listFolder(folder).filter(isLockFileName).sort()
  return paths.flatMap((name) => toInterrupted(join(folder, name)))
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function toInterrupted(path: string): readonly InterruptedLimit[] {
  const found = judgeLock(path)
  if (found.state === 'gone' || found.state === 'held' || found.state === 'undone') return []
  if (found.state === 'damaged') {
    const detail = `the lock file ${path} is damaged`
    return [{ state: 'damaged', path, detail, fix: damagedFix(path) }]
  }
  const { record, state } = found
  const { device, previous, startedAt } = record
  return [
    {
      state,
      path,
      device,
      previous,
      pid: record.owner.pid,
      startedAt,
      detail: state === 'interrupted' ? interruptedText(record) : elsewhereText(record),
      fix: restoreFix(path, record),
      restoreCommand: restoreCommand(device, previous),
    },
  ]
}

/** Options of `restoreInterruptedLimit`. */
export interface RestoreInterruptedOptions {
  readonly nvmlLibraryPath?: string
}

/** Restores a value that was left behind and deletes its lock file. Needs root. Does nothing when the file is gone. */
export function restoreInterruptedLimit(
  limit: LeftBehindLimit,
  options: RestoreInterruptedOptions = {},
): void {
  const found = judgeLock(limit.path)
  if (found.state === 'undone') removeLock(limit.path, found.text)
  if (found.state === 'gone' || found.state === 'undone') return
  if (found.state === 'damaged' || found.state === 'held') throw lockedError(limit.path, found)
  const { device: uuid, previous } = found.record
  using device = openKnob(uuid, options.nvmlLibraryPath)
  const failure = restorePrevious(device, previous)
  if (failure !== undefined) throw knobError(unrestoredText(uuid, previous), failure)
  removeLock(limit.path, found.text)
}

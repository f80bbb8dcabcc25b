import { resolve } from 'node:path'
import { EnergyBenchError, type Unavailable, type UnavailableReason } from '@energy-bench/spec'
import { type Guard, startGuard } from './guard-process.js'
import { knobError } from './knob-error.js'
import { type HeldLock, takeLock } from './lock-file.js'
import {
  type KnobName,
  nameKnob,
  type PreviousSetting,
  restoreCommand,
  restorePrevious,
  unrestoredText,
} from './previous-setting.js'
import { type ExitHold, restoreOnExit } from './restore-on-exit.js'
import type { KnobDevice } from './setters-binding.js'
import { defaultStateDir } from './state-dir.js'

/** Options of all functions that set something on a GPU while work runs. */
export interface KnobOptions {
  /** UUID of the GPU, as `nvidia-smi -L` lists it. */
  readonly device: string
  readonly nvmlLibraryPath?: string
  /** Folder of the lock files; by default `XDG_STATE_HOME/energy-bench` or `~/.local/state/energy-bench`. */
  readonly stateDir?: string
  /** The built entry `guard.js`; by default the one of this package. */
  readonly guardPath?: URL | string
  readonly signal?: AbortSignal
}

/** What runs while a value is set. The signal is the caller's, or that of a process that is asked to end. */
export type KnobWork<Applied, Result> = (
  signal: AbortSignal,
  applied: Applied,
) => Promise<Result> | Result

/** How one knob is set and read back. */
export interface KnobPlan<Applied> {
  readonly device: KnobDevice
  readonly what: KnobName
  /** Names the new value in a sentence. */
  readonly wanted: string
  /** What is brought back; throws when it cannot be read. */
  readPrevious(): PreviousSetting
  set(): Unavailable | undefined
  /** Reads back; throws when the GPU does something else. */
  confirm(signal: AbortSignal): Promise<Applied>
}

interface Hold {
  readonly device: KnobDevice
  readonly lock: HeldLock
  readonly guard: Guard
  readonly exit: ExitHold
}

/** Sets a value, runs `work`, and brings the former value back however it ends. */
export async function holdSetting<Applied, Result>(
  plan: KnobPlan<Applied>,
  work: KnobWork<Applied, Result>,
  options: KnobOptions,
): Promise<Result> {
  options.signal?.throwIfAborted()
  const hold = await takeHold(plan, options)
  const signals = [hold.exit.signal, options.signal].filter((signal) => signal !== undefined)
  const signal = AbortSignal.any(signals)
  // It may have been aborted while the guard started.
  const wasAborted = signal.aborted
  const failure = wasAborted ? undefined : plan.set()
  const run = async () => {
    signal.throwIfAborted()
    if (failure !== undefined) throw notSet(plan, failure)
    return work(signal, await plan.confirm(signal))
  }
  const [outcome] = await Promise.allSettled([run()])
  const isUntouched = wasAborted || (failure !== undefined && untouching.includes(failure.reason))
  await (isUntouched ? letGo(hold) : giveBack(hold, outcome))
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

/** With these failures of a setter the driver has changed nothing, so that there is nothing to restore. */
const untouching: readonly UnavailableReason[] = ['permission-denied', 'not-supported']

async function takeHold<Applied>(plan: KnobPlan<Applied>, options: KnobOptions): Promise<Hold> {
  const { device } = plan
  const stateDir = resolve(options.stateDir ?? defaultStateDir())
  const lock = await takeLock({ ...plan, stateDir })
  const [started] = await Promise.allSettled([startGuard({ ...options, lockPath: lock.path })])
  if (started.status === 'rejected') {
    lock.remove()
    throw started.reason
  }
  const guard = started.value
  const exit = restoreOnExit(() => {
    const failure = restorePrevious(device, lock.previous)
    // Else the guard does it: it sees the end of this process, looks once more and deletes the file.
    if (failure === undefined && !guard.isRunning()) lock.remove()
  })
  return { device, lock, guard, exit }
}

async function giveBack(hold: Hold, outcome: PromiseSettledResult<unknown>): Promise<void> {
  const failure = restorePrevious(hold.device, hold.lock.previous)
  if (failure === undefined) return letGo(hold)
  const isRestored = await hold.guard.takeOver()
  hold.exit.forget()
  if (isRestored) return hold.lock.remove()
  hold.lock.abandon()
  throw unrestored(hold, failure, outcome)
}

async function letGo({ exit, guard, lock }: Hold): Promise<void> {
  exit.forget()
  await guard.dismiss()
  // The guard has deleted it, unless it was killed.
  lock.remove()
}

function notSet(
  { device, what, wanted }: Pick<KnobPlan<unknown>, 'device' | 'what' | 'wanted'>,
  failure: Unavailable,
): EnergyBenchError {
  return knobError(`${nameKnob(what, device.uuid)} could not be set to ${wanted}`, failure)
}

function unrestored(
  { device, lock }: Hold,
  failure: Unavailable,
  outcome: PromiseSettledResult<unknown>,
): EnergyBenchError {
  const { previous } = lock
  const fix = `${failure.fix ?? ''} By hand: ${restoreCommand(device.uuid, previous)}`.trim()
  return new EnergyBenchError(
    'environment-invalid',
    `${unrestoredText(device.uuid, previous)}: ${failure.detail}`,
    { fix, ...(outcome.status === 'rejected' ? { cause: outcome.reason } : {}) },
  )
}

import { EnergyBenchError } from '@energy-bench/spec'
import type { LockJudgement } from './lock-judgement.js'
import type { LockRecord } from './lock-record.js'
import { nameKnob, namePrevious, restoreCommand } from './previous-setting.js'

/** The error for a knob whose lock file is already there. */
export function lockedError(path: string, found: LockJudgement): EnergyBenchError {
  if (found.state === 'gone') {
    return new EnergyBenchError('refused', `the lock file ${path} comes and goes`, {
      fix: 'Run one process at a time that sets this GPU.',
      isRetryable: true,
    })
  }
  if (found.state === 'damaged') {
    return new EnergyBenchError('refused', `the lock file ${path} is damaged`, {
      fix: damagedFix(path),
    })
  }
  if (found.state === 'held') return heldError(found.record)
  const { record } = found
  const message = found.state === 'interrupted' ? interruptedText(record) : elsewhereText(record)
  return new EnergyBenchError('refused', message, { fix: restoreFix(path, record) })
}

function heldError({ device, previous, owner, startedAt }: LockRecord): EnergyBenchError {
  const knob = nameKnob(previous.what, device)
  return new EnergyBenchError(
    'refused',
    `${knob} is held by process ${owner.pid} since ${startedAt}`,
    { fix: 'Wait until it has ended, or use another GPU.', isRetryable: true },
  )
}

/** Says that a value was left behind. */
export function interruptedText({ device, previous, owner, startedAt }: LockRecord): string {
  const knob = nameKnob(previous.what, device)
  const before = namePrevious(previous)
  return `${knob} was set by process ${owner.pid} at ${startedAt} and never restored (former value: ${before})`
}

/** Says that a value is held by a process that cannot be seen. */
export function elsewhereText({ device, previous, owner, startedAt }: LockRecord): string {
  const knob = nameKnob(previous.what, device)
  return `${knob} is held since ${startedAt} by process ${owner.pid} of "${owner.host}", another machine or container, which may have ended`
}

/** What to do about a value that was left behind. */
export function restoreFix(path: string, { device, previous }: LockRecord): string {
  return `Call restoreInterruptedLimit, or run \`${restoreCommand(device, previous)}\` and delete ${path}.`
}

/** What to do about a lock file that cannot be read. */
export function damagedFix(path: string): string {
  return `Check the GPU with \`nvidia-smi -q -d POWER,CLOCK\`, then delete ${path}.`
}

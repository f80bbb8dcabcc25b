import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '@energy-bench/spec'
import { READY, RESTORED } from './guard-process.js'
import { judgeLock } from './lock-judgement.js'
import type { LockRecord } from './lock-record.js'
import { readLockText, removeLock } from './lock-text.js'
import { restorePrevious } from './previous-setting.js'
import { type KnobDevice, openKnobDevice } from './setters-binding.js'

const RESTORE_ATTEMPTS = 3
const RESTORE_PAUSE_MS = 200

/**
 * Entry of the guard process: `guard.js LOCK_FILE [NVML_LIBRARY]`. Restores the value in the lock file when its
 * standard input ends without the word `restored`, and deletes the file. Ends with 0 when nothing is left to restore.
 */
async function main(lockPath: string, libraryPath?: string): Promise<number> {
  const lock = judgeLock(lockPath)
  if (lock.state === 'gone' || lock.state === 'damaged') return fail(`${lockPath} is ${lock.state}`)
  // Opened now, so that nothing is set that could not be restored.
  const device = openKnobDevice(lock.record.device, libraryPath)
  if (isUnavailable(device)) return fail(device.detail)
  using opened = device
  process.stdout.write(READY)
  const words = await text(process.stdin).catch(() => '')
  // With the file gone the value may still be changed; with another text it has another owner.
  const found = readLockText(lockPath) ?? lock.text
  if (found !== lock.text) return 0
  if (!words.includes(RESTORED) && !(await restore(opened, lock.record))) return 1
  removeLock(lockPath, lock.text)
  return 0
}

async function restore(device: KnobDevice, { previous }: LockRecord): Promise<boolean> {
  for (let attempt = 1; attempt < RESTORE_ATTEMPTS; attempt += 1) {
    if (restorePrevious(device, previous) === undefined) return true
    await sleep(RESTORE_PAUSE_MS)
  }
  return restorePrevious(device, previous) === undefined
}

function fail(problem: string): number {
  process.stdout.write(`${problem}\n`)
  return 1
}

// A service manager ends the whole group: the guard must outlive the process that it watches.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
// Nobody reads when the parent is dead already; the value is restored all the same.
process.stdout.on('error', () => {})
const [lockPath = '', libraryPath] = process.argv.slice(2)
process.exitCode = await main(lockPath, libraryPath)

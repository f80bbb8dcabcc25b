import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process, told from a later one with the same number. */
export interface LockOwner {
  readonly pid: number
  /** Boot and time of the start, where the system tells; an opaque text. */
  readonly processStart: string | null
  readonly host: string
}

/**
 * `elsewhere`: it belongs to another machine or container, whose processes cannot be seen from here. `rebooted`: it ran
 * before this machine was started last.
 */
export type OwnerState = 'alive' | 'dead' | 'elsewhere' | 'rebooted'

/** This process. */
export function currentOwner(): LockOwner {
  return { pid: process.pid, processStart: processStartOf(process.pid), host: hostname() }
}

/** Whether the process that wrote a lock still runs. */
export function ownerState(owner: LockOwner): OwnerState {
  if (owner.host !== hostname()) return 'elsewhere'
  const [then, now] = [bootIn(owner.processStart), bootIn(processStartOf(process.pid))]
  if (then !== undefined && now !== undefined && then !== now) return 'rebooted'
  if (!isRunning(owner.pid)) return 'dead'
  const start = processStartOf(owner.pid)
  const isSame = owner.processStart === null || start === null || owner.processStart === start
  return isSame ? 'alive' : 'dead'
}

/** Id of the start of the machine in what `processStartOf` gives. */
function bootIn(processStart: string | null): string | undefined {
  return /^([0-9a-f-]{36}):/.exec(processStart ?? '')?.[1]
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not allowed to signal it, so it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Numbers of processes are used again; number, boot and start time together are not. Linux only. */
export function processStartOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name in parentheses that may hold spaces; the start is the 22nd field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return `${boot}:${fields[19]}`
  } catch {
    return null
  }
}

import type { LockOwner } from './lock-owner.js'
import type { KnobName, PreviousSetting } from './previous-setting.js'

/** What a lock file says: which knob of which GPU is held by whom, and what it is brought back to. */
export interface LockRecord {
  readonly version: 1
  readonly device: string
  readonly previous: PreviousSetting
  readonly owner: LockOwner
  /** ISO 8601. */
  readonly startedAt: string
  /** `abandoned`: the owner could not restore the value and has given up. */
  readonly state: 'held' | 'abandoned'
}

const UUID = /^(?:GPU|MIG)-[\w-]+$/
const SUFFIX = '.lock.json'

/** True for what may stand in a file name and after `nvidia-smi -i`. */
export function isDeviceUuid(text: string): boolean {
  return UUID.test(text)
}

/** Name of the lock file of one knob. */
export function lockFileName(device: string, what: KnobName): string {
  return `${device}.${what}${SUFFIX}`
}

/** True for the names that `lockFileName` makes. */
export function isLockFileName(name: string): boolean {
  return name.endsWith(SUFFIX)
}

/** The record in the text of a lock file; `undefined` for anything else. A lock is input: its values reach a driver and a command line. */
export function parseLockRecord(text: string): LockRecord | undefined {
  const value = parseJson(text)
  const previous = isObject(value) ? parsePrevious(value.previous) : undefined
  const owner = isObject(value) ? parseOwner(value.owner) : undefined
  if (!isObject(value) || previous === undefined || owner === undefined) return undefined
  const { version, device, startedAt, state } = value
  if (version !== 1 || typeof device !== 'string' || !isDeviceUuid(device)) return undefined
  if (typeof startedAt !== 'string' || Number.isNaN(Date.parse(startedAt))) return undefined
  if (state !== 'held' && state !== 'abandoned') return undefined
  return { version, device, previous, owner, startedAt, state }
}

function parsePrevious(value: unknown): PreviousSetting | undefined {
  if (!isObject(value)) return undefined
  if (value.what === 'locked-clocks') return { what: 'locked-clocks' }
  const { powerLimitW } = value
  const isLimit = typeof powerLimitW === 'number' && Number.isFinite(powerLimitW) && powerLimitW > 0
  return value.what === 'power-limit' && isLimit ? { what: 'power-limit', powerLimitW } : undefined
}

function parseOwner(value: unknown): LockOwner | undefined {
  if (!isObject(value)) return undefined
  const { pid, processStart, host } = value
  // Zero and negative numbers name groups of processes.
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (processStart !== null && typeof processStart !== 'string') return undefined
  return typeof host === 'string' ? { pid, processStart, host } : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

import { createHash } from 'node:crypto'
import type { BackendInfo, Task } from '@energy-bench/spec'
import type { MeasureSettings } from './report/types.js'

/** The settings that change what an item gives. Repetitions and idle windows may grow without a new cell. */
export type CellSettings = Pick<
  MeasureSettings,
  'temperature' | 'seed' | 'thinking' | 'itemTimeoutS'
>

/** Key of a cell: equal keys mean that results of single items may be put together. `sha256:<hex>`. */
export function cellKey(
  info: BackendInfo,
  task: Pick<Task, 'id' | 'version' | 'digest' | 'maxOutputTokens'>,
  settings: CellSettings,
): string {
  // The process id differs from run to run and changes nothing.
  const { processId: _, ...model } = info
  const { temperature, seed, thinking, itemTimeoutS } = settings
  const { id, version, digest, maxOutputTokens } = task
  const parts = {
    model,
    task: { id, version, digest, maxOutputTokens },
    settings: { temperature, seed, thinking, itemTimeoutS },
  }
  return `sha256:${createHash('sha256').update(canonicalJson(parts)).digest('hex')}`
}

/** JSON with sorted keys, so that the order in which an engine lists its settings does not matter. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isPlainObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

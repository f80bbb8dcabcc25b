import { createHash } from 'node:crypto'
import { EnergyBenchError, type Task, type TaskItem } from '@energy-bench/spec'
import { canonicalJson } from './canonical-json.js'

/**
 * `sha256:<hex>` over the canonical JSON of one row an item: id, rendered prompt, example.
 * The example is in the row because it holds the expected answer.
 */
export function digestItems<Example>(
  items: readonly TaskItem<Example>[],
  render: Task<Example>['render'],
): string {
  const rows = items.map((item) => rowOf(item, render(item.example)))
  const hex = createHash('sha256')
    .update(`[${rows.join(',')}]`)
    .digest('hex')
  return `sha256:${hex}`
}

function rowOf<Example>({ id, example }: TaskItem<Example>, rendered: unknown): string {
  try {
    return canonicalJson([id, rendered, example])
  } catch (cause) {
    throw new EnergyBenchError(
      'task-invalid',
      `item ${id}: the example cannot be written as JSON`,
      {
        fix: 'Keep to strings, numbers, booleans, null, arrays and plain objects.',
        cause,
      },
    )
  }
}
